/** The fixtures of all families, collected from `tests/src/fixtures`. */
import path from 'node:path';
import type { ErrorName } from '@broadside/core';
import type { FamilyFixture, Provoke } from './family-fixture.ts';

const modules = import.meta.glob<{ readonly fixture: FamilyFixture }>('../fixtures/*.ts', { eager: true });

/**
 * Fixtures by the families' names in the contract. A function, because fixtures use the helpers of scenarios, whose worlds are
 * made with fixtures.
 */
export function familyFixtures(): ReadonlyMap<string, FamilyFixture> {
  return new Map(
    Object.entries(modules).map(([file, { fixture }]) => {
      if (!fixture) throw new TypeError(`${file} exports no fixture`);
      return [path.basename(file, '.ts').replaceAll('-', '_'), fixture];
    }),
  );
}

/** The family of an operation. */
export function familyOf({ id }: { readonly id: string }): string {
  return id.slice(0, id.indexOf('.'));
}

/** Finds the provocation of an error at an operation: the operation's own, or that of the family which declares the error. */
export function provocationOf(operation: { readonly id: string }, name: ErrorName): Provoke | undefined {
  const own = familyFixtures().get(familyOf(operation))?.provokeAt?.[operation.id]?.[name];
  const shared = [...familyFixtures().values()].flatMap(({ provoke }) => provoke?.[name] ?? []);
  if (shared.length > 1) throw new TypeError(`two families have a provocation of ${name}`);
  return own ?? shared[0];
}

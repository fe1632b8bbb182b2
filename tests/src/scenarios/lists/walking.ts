/** Lists as their scenarios read them. */
import { allOperations, type Operation } from '@broadside/core';
import { expect } from 'vitest';
import { z } from 'zod';
import type { CallParams } from '../../support/call.ts';
import { familyFixtures, familyOf } from '../../support/families.ts';
import { type Entity, isOperationId, type OperationId, type Stage } from '../../support/scenario.ts';

/** Creates campaigns with the given names. */
export async function campaigns(stage: Stage, names: readonly string[]): Promise<Entity[]> {
  const made: Entity[] = [];
  for (const name of names) made.push(await stage.campaign({ name }));
  return made;
}

export const numbered = (count: number) => Array.from({ length: count }, (_, i) => `Campaign ${i}`);

export const idsOf = (entities: readonly Entity[]) => entities.map(({ id }) => id);

/** All pages of a list. */
export async function walk(stage: Stage, id: OperationId, params: Record<string, unknown>): Promise<Entity[][]> {
  const pages: Entity[][] = [];
  let cursor: string | null | undefined;
  do {
    const given: Record<string, unknown> = { ...params, ...(cursor ? { cursor } : {}) };
    const outcome = await stage.call(id, given);
    expect(outcome.errors).toEqual([]);
    pages.push(Entities.parse(outcome.data));
    cursor = outcome.next_cursor;
    expect(pages.length).toBeLessThan(100);
  } while (cursor);
  return pages;
}

export const Entities = z.array(z.looseObject({ id: z.string() }));

/**
 * Fills a list with entities that have different, equal and missing values of the attributes that it sorts by.
 * @returns the parameters that the list requires
 */
export async function spread(stage: Stage, operation: Operation): Promise<CallParams> {
  const family = familyOf(operation);
  const fixture = familyFixtures().get(family);
  if (!fixture?.spread)
    throw new TypeError(`tests/src/fixtures: the fixture of ${family} needs \`spread\` for its list`);
  return fixture.spread(stage);
}

// Lookups and the history have an order of their own.
export const lists = allOperations.filter(({ envelope, params }) => envelope === 'list' && 'sort_by' in params.shape);

export function operationId({ id }: Operation): OperationId {
  if (!isOperationId(id)) throw new TypeError(`${id} is no operation`);
  return id;
}

/** Returns the largest page of a list. Generic cards have smaller pages than the others (specification B, Cards). */
export function mostOf(id: OperationId): number {
  return id === 'cards.list' ? 200 : 1000;
}

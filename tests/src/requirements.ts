/**
 * Requirements of the specification, sentence by sentence, and its operations: each file in `requirements/` holds those of a
 * family, or of something that several share. Tests cite the ids: scenarios (`tests/src/scenarios`) play a requirement on every
 * adapter that can express it, other tests name it in their title. `requirements.test.ts` checks that none is left out.
 */
import path from 'node:path';
import type { OperationRow, OperationRows } from './support/operation-row.ts';
import type { Requirement, Requirements } from './support/requirement.ts';

interface Part {
  readonly requirements: Requirements;
  readonly operations?: OperationRows;
}

const modules = import.meta.glob<Part>('./requirements/*.ts', { eager: true });

/** The files, by their names without the ending. */
export const parts: ReadonlyMap<string, Part> = new Map(
  Object.entries(modules).map(([file, part]) => [path.basename(file, '.ts'), part]),
);

/** All requirements by their ids. */
export const requirements: Requirements = Object.assign({}, ...[...parts.values()].map((part) => part.requirements));

/** The rows of all operations by their ids. */
export const operationRows: ReadonlyMap<string, OperationRow> = new Map(
  [...parts.values()].flatMap(({ operations }) => Object.entries(operations ?? {})),
);

/**
 * Finds a requirement.
 * @throws TypeError when there is none with this id
 */
export function requirementOf(id: string): Requirement {
  const requirement = requirements[id];
  if (!requirement) throw new TypeError(`tests/src/requirements has no requirement ${id}`);
  return requirement;
}

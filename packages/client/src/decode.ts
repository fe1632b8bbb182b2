/** From successful answers to typed results, by the thin contract: 64-bit numbers are `bigint` whatever their size. */

import type { Lookup, WireProblem } from '@broadside/core';
import { formPairs } from '@broadside/core/auth';
import type {
  ThinAdsOperation,
  ThinAuthOperation,
  ThinDataOperation,
  ThinShapes,
  ThinUploadOperation,
} from '@broadside/core/thin';
import { parseJson } from '@broadside/core/wire';
import { isMembers, type Members, readValue, ShapeError } from './shape.ts';

/** The body of an answer as JSON data, whole numbers exact; `undefined` when it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function readObject(text: string): Members {
  const body = readJson(text);
  if (isMembers(body)) return body;
  throw new ShapeError('it is not a JSON object');
}

function readItems(shapes: ThinShapes, type: string, items: readonly unknown[]): unknown[] {
  return items.map((item, index) => readValue(shapes, type, item, `data[${index}]`));
}

/** The result of an operation of the advertising interface: an entity, an array, or a page. @throws ShapeError */
export function decodeOutcome(shapes: ThinShapes, operation: ThinAdsOperation, text: string): unknown {
  const body = readJson(text);
  if (operation.envelope === 'message' && isMembers(body)) {
    const { request: _, ...message } = body;
    return readValue(shapes, operation.data, message, '');
  }
  if (!isMembers(body) || !('data' in body)) throw new ShapeError('it is not a JSON object with "data"');
  const { data, next_cursor = null, total_count } = body;
  if (operation.envelope === 'entity') return readValue(shapes, operation.data, data, 'data');
  if (!Array.isArray(data)) throw new ShapeError('"data" is not a list');
  const entities = readItems(shapes, operation.data, data);
  if (operation.envelope !== 'list') return entities;
  if (next_cursor !== null && typeof next_cursor !== 'string') throw new ShapeError('"next_cursor" is no cursor');
  if (total_count === undefined) return { data: entities, next_cursor };
  if (typeof total_count !== 'number') throw new ShapeError('"total_count" is no number');
  return { data: entities, next_cursor, total_count };
}

/** The result of a step of an upload. @throws ShapeError */
export function decodeUpload(shapes: ThinShapes, { envelope, data }: ThinUploadOperation, text: string): unknown {
  if (envelope === 'nothing') return {};
  const body = readObject(text);
  return envelope === 'data' ? readValue(shapes, data, body['data'], 'data') : readValue(shapes, data, body, '');
}

/** The result of data retrieval. @throws ShapeError */
export function decodeLookup(shapes: ThinShapes, operation: ThinDataOperation, text: string): Lookup<unknown, unknown> {
  const { data, includes, errors } = readObject(text);
  if (data !== undefined && !Array.isArray(data)) throw new ShapeError('"data" is not a list');
  if (errors !== undefined && !isProblems(errors)) throw new ShapeError('"errors" is not a list of problems');
  return {
    ...(data === undefined ? {} : { data: readItems(shapes, operation.data, data) }),
    ...(includes === undefined ? {} : { includes: readValue(shapes, operation.includes, includes, 'includes') }),
    ...(errors === undefined ? {} : { errors: [...errors] }),
  };
}

function isProblems(value: unknown): value is readonly WireProblem[] {
  return Array.isArray(value) && value.every(isProblem);
}

/** A rejection by data retrieval of a request as a whole. */
export interface Problem {
  /** An address that stands for the kind of problem; `about:blank` where the status says it all. */
  readonly type: string;
  readonly title: string;
  readonly detail: string;
}

/** True for a value that has the members of a problem. */
export function isProblem(value: unknown): value is Problem & Members {
  return isMembers(value) && ['type', 'title', 'detail'].every((name) => typeof value[name] === 'string');
}

/** A form with more members than this is none that this client asked for. */
const MAX_MEMBERS = 100;

/** The result of an endpoint of authentication: the members of a form or of a JSON object. @throws ShapeError */
export function decodeGrant(shapes: ThinShapes, { envelope, data }: ThinAuthOperation, text: string): unknown {
  if (envelope === 'object') return readValue(shapes, data, readObject(text), '');
  const pairs = formPairs(text, MAX_MEMBERS);
  if (pairs === undefined || pairs === 'too many') throw new ShapeError('it is not form-encoded');
  return readValue(shapes, data, Object.fromEntries(pairs), '');
}

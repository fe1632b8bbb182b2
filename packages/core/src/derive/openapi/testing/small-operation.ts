/** A small operation for the tests of documents. */
import * as z from 'zod';
import { defineOperation } from '../../../operation/define.ts';
import type { Operation } from '../../../operation/operation.ts';
import { boolean, int, long, oneOf, text } from '../../../wire/types.ts';
import { openapiDocument } from '../../openapi.ts';

const Thing = z.object({
  id: text().describe('The thing.'),
  amount: long({ min: 1n }).nullable(),
  kind: oneOf(['A', 'B']).nullable().optional(),
  inner: z.object({ a: int() }).nullable(),
  many: z.array(z.object({ b: boolean() })),
});
export const thing = { id: 'x', amount: 2n ** 60n, inner: null, many: [] };

/** Returns the operation with the changes of a test. */
export function operation(changes: Partial<Operation> = {}): Operation {
  const plain = defineOperation({
    id: 'small_things.get',
    summary: 'Get a thing',
    http: { method: 'GET', path: '/things/:thing_id' },
    access: { auth: 'user' },
    rateLimit: 'ads.lookup',
    envelope: 'entity',
    params: z.object({ thing_id: text().describe('The thing.') }),
    data: Thing,
    errors: [],
    example: { params: { thing_id: 'x' }, data: thing },
  });
  return { ...plain, ...changes };
}

export const documentOf = (...operations: Operation[]) =>
  openapiDocument({ environment: 'sandbox', serverUrl: 'http://here', version: '1.2.3', operations });

/** Returns the operation of a document that has one. */
export function only(...operations: Operation[]): Record<string, unknown> {
  const [methods = {}] = Object.values(documentOf(...operations).paths);
  const [one = {}] = Object.values(methods);
  return one;
}

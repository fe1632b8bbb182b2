/** Examples of the contract as they look on the wire. */
import type { AnyOperation } from '../operation/define.ts';
import { readBatch, readParams } from '../operation/parse.ts';
import { parseJson, stringifyJson } from '../wire/json.ts';

/** A value as its JSON reads: what is undefined is gone, and a `bigint` is one only where a number would not hold it. */
export function wireExample(value: unknown): unknown {
  return parseJson(stringifyJson(value));
}

/** The parameters of the example in typed form, as the pipeline echoes them; nothing for a batch, whose items are its body. */
export function exampleParams(operation: AnyOperation): Readonly<Record<string, unknown>> {
  const { batch, params, exclusive, example } = operation;
  if (batch) return {};
  const { echo } = readParams(params, example.params, exclusive);
  return Object.fromEntries(Object.entries(echo).map(([name, value]) => [name, wireExample(value)]));
}

/** The body of a success, for the example. */
export function exampleAnswer(operation: AnyOperation): Readonly<Record<string, unknown>> {
  const { batch, envelope, example } = operation;
  const data = wireExample(example.data);
  if (batch) {
    const { operations, ...path } = example.params;
    const items = Array.isArray(operations) ? operations : [];
    return { request: wireExample(readBatch(batch, items, path).echo), data: items.map(() => data) };
  }
  const request = { params: exampleParams(operation) };
  if (envelope === 'entity') return { request, data };
  return envelope === 'list' ? { request, next_cursor: null, data: [data] } : { request, data: [data] };
}

/** Examples of the contract as they look on the wire. */
import { formEncode } from '../auth/percent.ts';
import { type ByKind, dispatch } from '../operation/by-kind.ts';
import type { AnyOperation, CallableKind, OperationOfKind, PageOperation } from '../operation/operation.ts';
import { readParams } from '../operation/parse.ts';
import { type BatchItem, readBatch } from '../operation/parse-batch.ts';
import { parseJson, stringifyJson } from '../wire/json.ts';

/**
 * Returns a value as its JSON is read: undefined members are dropped, and a `bigint` remains one only where a number
 * would lose digits.
 */
export function wireExample(value: unknown): unknown {
  return parseJson(stringifyJson(value));
}

/**
 * Returns the parameters of the example in typed form, as the pipeline echoes them; empty for a batch, whose items are
 * its body.
 */
export function exampleParams(operation: AnyOperation | PageOperation): Readonly<Record<string, unknown>> {
  const { params, example } = operation;
  const { batch, exclusive } = operation.kind === 'page' ? {} : operation;
  if (batch) return {};
  const { echo } = readParams(params, example.params, exclusive);
  return Object.fromEntries(Object.entries(echo).map(([name, value]) => [name, wireExample(value)]));
}

/** Returns the result of the example call without its envelope. */
export function exampleOutcome(operation: AnyOperation): unknown {
  const data = wireExample(operation.example.data);
  if (operation.kind === 'data') return { data: [data], includes: wireExample(operation.example.includes) };
  if (operation.envelope === 'batch') return exampleItems(operation).map(() => data);
  return operation.envelope === 'list' || operation.envelope === 'values' ? [data] : data;
}

const answers: ByKind<CallableKind, [], unknown> = {
  ads: envelopedAnswer,
  operator: envelopedAnswer,
  control: envelopedAnswer,
  auth: (operation) => {
    const data = exampleOutcome(operation);
    return operation.envelope === 'form' ? exampleForm(data) : data;
  },
  data: exampleOutcome,
  upload: (operation) => {
    if (operation.envelope === 'nothing') return undefined;
    const data = exampleOutcome(operation);
    return operation.envelope === 'data' ? { data } : data;
  },
};

/** Returns the body of the example's success: a JSON value, or the text of a form-encoded response. */
export function exampleAnswer(operation: AnyOperation): unknown {
  return dispatch(answers, operation);
}

function envelopedAnswer(operation: OperationOfKind<'ads' | 'operator' | 'control'>): unknown {
  const { batch, envelope, example } = operation;
  const data = exampleOutcome(operation);
  if (batch) {
    const { operations: _, ...path } = example.params;
    if (envelope !== 'batch') return { request: { params: path }, data };
    const { echo, items } = readBatch(batch, exampleItems(operation), path);
    return { request: wireExample(batch.users ? items.map((item) => item && withoutUsers(item, path)) : echo), data };
  }
  const sent = exampleParams(operation);
  const request = { params: operation.echo ? wireExample(operation.echo(sent)) : sent };
  const { total_count, ...beside } = operation.beside ?? {};
  if (envelope === 'message') return { request, ...(typeof data === 'object' ? data : {}) };
  if (envelope === 'list') return { request, ...beside, next_cursor: null, data };
  return { request, ...beside, data, ...(total_count ? { total_count: 1 } : {}) };
}

/** Users are not repeated in responses. */
function withoutUsers({ operation_type, params: { users: _, ...params } }: BatchItem, path: object) {
  return { params: { ...params, ...path }, operation_type };
}

function exampleItems({ example }: AnyOperation): readonly unknown[] {
  const { operations } = example.params;
  return Array.isArray(operations) ? operations : [];
}

function exampleForm(data: unknown): string {
  const members = typeof data === 'object' && data !== null ? Object.entries(data) : [];
  return formEncode(members.map(([name, value]) => [name, String(value)]));
}

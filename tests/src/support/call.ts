/** From an operation of the contract and its parameters to a request. */
import type { Operation } from '@broadside/core';
import type { TestRequest } from '@broadside/testkit';
import type { AccountFixture } from './world.ts';

/** Parameters of a call by name, typed or as wire text. */
export type CallParams = Readonly<Record<string, unknown>>;

/** The parameters of the operation's example, on an fixture that exists. */
export function validParams(operation: Operation, fixture: AccountFixture): Record<string, unknown> {
  const replaced = onFixture(operation.example.params, fixture);
  return isRecord(replaced) ? replaced : {};
}

function onFixture(value: unknown, fixture: AccountFixture): unknown {
  if (Array.isArray(value)) return value.map((element) => onFixture(element, fixture));
  if (!isRecord(value)) return value;
  const known = new Map<string, unknown>(Object.entries(fixture));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, known.get(name) ?? onFixture(member, fixture)]),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The names in an operation's path. */
export function pathNames(operation: Operation): string[] {
  return [...operation.http.path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}

/** Place of the parameters that are not in the path. */
export type Place = 'query' | 'form' | 'json';

/** Names and values as text. */
type Pairs = readonly (readonly [string, string])[];

/** A request whose parameters are text. */
export interface CallRequest extends TestRequest {
  readonly query?: Pairs;
  readonly form?: Pairs;
}

/** The request that calls an operation. */
export function requestFor(operation: Operation, params: CallParams, place: Place = 'query'): CallRequest {
  const inPath = pathNames(operation);
  const path = operation.http.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const rest = Object.fromEntries(Object.entries(params).filter(([name]) => !inPath.includes(name)));
  const base = { method: operation.http.method, path };
  if (operation.batch) return { ...base, json: rest['operations'] };
  if (place === 'json' || operation.body === 'json') return { ...base, json: rest };
  return place === 'form' ? { ...base, form: texts(rest) } : { ...base, query: texts(rest) };
}

const UNKNOWN = 'no_such_parameter';

/**
 * A request with a parameter that no operation has. Parameters are read once the caller is known and has the permission: who hears of this
 * one has passed both, and nothing was changed, so that many such requests can share a fixture.
 */
export function withUnknownParameter(request: CallRequest): CallRequest {
  return { ...request, query: [...(request.query ?? []), [UNKNOWN, 'x']] };
}

/** The response to it. */
export const unknownParameterFound = {
  status: 400,
  body: { errors: [{ code: 'INVALID_PARAMETER', parameter: UNKNOWN }] },
};

/** Parameters as text, the way a query or a form carries them. */
export function texts(params: CallParams): Pairs {
  return Object.entries(params).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, text(value)]],
  );
}

function text(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(text).join(',');
  return value instanceof Date ? value.toISOString() : String(value);
}

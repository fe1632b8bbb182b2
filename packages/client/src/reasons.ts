/** Reads why the server rejected a request. */
import type { WireError } from '@broadside/core';
import { thinTransport } from '@broadside/core/thin/transport';
import { isProblem, type Problem, readJson } from './decode.ts';
import { isMembers, type Members } from './shape.ts';

/** Why the server rejected a request. */
export interface Reasons {
  readonly errors: readonly WireError[];
  readonly operation_errors?: readonly (readonly WireError[])[];
  readonly request: unknown;
  readonly problem?: Problem;
}

/** Reads the body of a rejection; `undefined` when it is not one of the contract. */
export function readReasons(status: number, text: string): Reasons | undefined {
  const body = readJson(text);
  if (!isMembers(body)) return undefined;
  if (isProblem(body)) return reasonsOf(status, body);
  const { errors = [], operation_errors, request } = body;
  if (!isErrors(errors)) return undefined;
  if (operation_errors === undefined) return errors.length === 0 ? undefined : { errors, request };
  if (!Array.isArray(operation_errors) || !operation_errors.every(isErrors)) return undefined;
  return { errors, operation_errors, request };
}

/** Problems have no codes; they get those that the other interfaces have for the same. */
function reasonsOf(status: number, body: Problem & Members): Reasons {
  const { type, title, detail, errors } = body;
  const code = thinTransport.codes[status] ?? 'INTERNAL_ERROR';
  const causes: readonly unknown[] = Array.isArray(errors) ? errors : [];
  const reasons = causes.flatMap((cause) => reasonOf(code, cause));
  return {
    errors: reasons.length > 0 ? reasons : [{ code, message: detail }],
    request: undefined,
    problem: { type, title, detail },
  };
}

/** An entry of `errors`: with a code for a token that is no longer valid, otherwise with parameters and their values. */
function reasonOf(code: string, cause: unknown): WireError[] {
  if (isWireError(cause)) return [cause];
  if (!isMembers(cause) || typeof cause['message'] !== 'string') return [];
  const { message, parameters } = cause;
  const [[parameter, values] = []] = isMembers(parameters) ? Object.entries(parameters) : [];
  if (parameter === undefined) return [{ code, message }];
  const value: unknown = Array.isArray(values) && values.length > 0 ? values[0] : undefined;
  return [{ code, message, parameter, ...(value === undefined ? {} : { value }) }];
}

function isErrors(value: unknown): value is readonly WireError[] {
  return Array.isArray(value) && value.every(isWireError);
}

function isWireError(value: unknown): value is WireError {
  if (!isMembers(value) || typeof value['message'] !== 'string') return false;
  return typeof value['code'] === 'string' || typeof value['code'] === 'number';
}

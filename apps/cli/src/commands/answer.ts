/** Answers printed as they came, whatever their status. */
import type { RawRequest, RawResponse } from '@broadside/client';
import { type Operation, stringifyJson, type WireError } from '@broadside/core';
import { percentEncode } from '@broadside/core/auth';
import { isEntity } from '../columns.ts';
import { CliError } from '../errors.ts';
import { exitOfStatus } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { prettyJson } from '../json.ts';
import { painter } from '../paint.ts';
import { pathParameters } from '../parameters.ts';
import type { Query } from '../query.ts';
import { reasonLines } from '../report.ts';
import type { Params } from './params.ts';

/** The request of an operation, for an answer that is not decoded. */
export function rawRequest(operation: Operation, params: Params): RawRequest {
  const { method, path } = operation.http;
  const inPath = pathParameters(operation);
  const values = Object.fromEntries(
    Object.entries(params)
      .filter(([name]) => !inPath.includes(name) && !(operation.batch && name === 'operations'))
      .map(([name, value]) => [name, wireText(value)] as const),
  );
  const at = { method, path: path.replace(/:(\w+)/g, (_, name: string) => percentEncode(wireText(params[name]))) };
  if (operation.body === 'json') {
    return { ...at, json: Object.fromEntries(Object.entries(params).filter(([name]) => !inPath.includes(name))) };
  }
  if (operation.batch) return { ...at, query: values, json: params['operations'] };
  return method === 'GET' || method === 'DELETE' ? { ...at, query: values } : { ...at, form: values };
}

/** A value as query strings and forms carry it. */
function wireText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(wireText).join(',');
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/**
 * Prints an answer on stdout.
 * @param include status and headers before it
 * @param pretty indented, where it is JSON
 * @param query selects a part of the body
 * @throws CliError with the reasons when the status is not a success, so that the exit code reports it
 */
export async function printAnswer(
  io: Io,
  answer: RawResponse,
  { include, pretty, query }: { include: boolean; pretty: boolean; query?: Query | undefined },
): Promise<void> {
  const { status, headers, body, text } = answer;
  const paint = painter(io.stdout, io.env);
  if (include) {
    const lines = [...headers].map(([name, value]) => `${paint('cyan', `${name}:`)} ${value}\n`);
    await io.stdout.write(`${paint('bold', `HTTP ${status}`)}\n${lines.join('')}\n`);
  }
  // The reasons of a rejection are no data to select from.
  if (query && answer.ok) return query.print(io, body);
  const shown = pretty && body !== undefined ? prettyJson(body) : text;
  if (shown !== '') await io.stdout.write(shown.endsWith('\n') ? shown : `${shown}\n`);
  if (answer.ok) return;
  const { errors, operation_errors } = reasonsOf(body);
  const lines = reasonLines(errors, operation_errors);
  const details = { status, errors, ...(operation_errors.length === 0 ? {} : { operation_errors }) };
  const codes = errors.map(({ code }) => code);
  throw new CliError(exitOfStatus(status, codes), `The server answered ${status}`, lines, undefined, details);
}

function reasonsOf(body: unknown): { errors: WireError[]; operation_errors: WireError[][] } {
  if (!isEntity(body)) return { errors: [], operation_errors: [] };
  const items = Array.isArray(body['operation_errors']) ? body['operation_errors'].map(listOf) : [];
  return { errors: listOf(body['errors']), operation_errors: items };
}

function listOf(value: unknown): WireError[] {
  return Array.isArray(value) ? value.filter(isWireError) : [];
}

function isWireError(value: unknown): value is WireError {
  if (!isEntity(value) || typeof value['message'] !== 'string') return false;
  return typeof value['code'] === 'string' || typeof value['code'] === 'number';
}

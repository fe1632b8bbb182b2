/** The operator's commands: procedures on tRPC, authorized by the operator's token. They are not available on REST. */
import type { OperatorOperation, WireError } from '@broadside/core';
import type { Invocation } from '../command.ts';
import {
  connectionFlags,
  environmentOf,
  type FoundCredentials,
  findCredentials,
  findOperatorToken,
} from '../credentials.ts';
import { CliError, messageOf, UsageError } from '../errors.ts';
import { exitOfStatus } from '../exit-codes.ts';
import type { FlagSection } from '../flag.ts';
import { Output } from '../output.ts';
import { membersOf, type Parameter, SECRET_PARAMETER } from '../parameters.ts';
import { networkHints, reasonLines } from '../report.ts';
import { checkParams, type Params, readGiven } from './params.ts';

const DEFAULT_BASE_URL = 'http://127.0.0.1:8000';

/** The flags that say which platform to administer, and where an account lives. */
export function adminFlags(parameters: readonly Parameter[]): FlagSection {
  const known = connectionFlags.flags.flatMap((flag) => {
    if (flag.name !== 'sandbox') return [flag];
    return hasEnvironment(parameters) ? [{ ...flag, description: 'The same as --environment sandbox.' }] : [];
  });
  const description = `Address of the platform. Default: BROADSIDE_BASE_URL, that of the credentials, or ${DEFAULT_BASE_URL}.`;
  return { title: 'Connection', flags: [...known, { name: 'base-url', kind: 'text', hint: 'url', description }] };
}

function hasEnvironment(parameters: readonly Parameter[]): boolean {
  return parameters.some(({ name }) => name === 'environment');
}

/** Runs a procedure of the operator. */
export async function runAdmin(
  operation: OperatorOperation,
  parameters: readonly Parameter[],
  call: Invocation,
): Promise<void> {
  const { io, flags } = call;
  const output = new Output(io, flags, operation.data);
  const found = findCredentials(io, flags);
  const given = withEnvironment(await readGiven(operation, parameters, call), parameters, call, found);
  const { password, ...others } = given;
  const asked = parameters.some(
    ({ name, required }) => name === SECRET_PARAMETER && (password === '-' || (password === undefined && required)),
  );
  // All other errors are reported before prompting for a password.
  const rest = asked ? parameters.filter(({ name }) => name !== SECRET_PARAMETER) : parameters;
  if (asked) checkParams({ ...operation, params: operation.params.omit({ [SECRET_PARAMETER]: true }) }, rest, others);
  else checkParams(operation, parameters, given);
  const token = findOperatorToken(io.env, found);
  if (!token) throw noToken(found);
  const params = asked ? { ...given, [SECRET_PARAMETER]: await askPassword(call, password === '-') } : given;
  if (asked) checkParams(operation, parameters, params);
  const baseUrl =
    flags.text('base-url') ??
    (io.env['BROADSIDE_BASE_URL'] || undefined) ??
    found?.values['base_url'] ??
    DEFAULT_BASE_URL;
  const result = await callProcedure(operation, params, { call, baseUrl, token: token.token });
  if (operation.envelope === 'entity' || operation.envelope === 'message') {
    await output.one(result);
    await noteSecrets(operation, output);
    return;
  }
  const printed = output.many();
  await printed.page(Array.isArray(result) ? result : [result]);
  await printed.end();
}

/** Warns that a secret is not shown again. */
async function noteSecrets({ data }: OperatorOperation, output: Output): Promise<void> {
  const secrets = membersOf(data).flatMap(([name]) => (name.endsWith('_secret') ? [name] : []));
  if (output.format !== 'human') return;
  for (const name of secrets) await output.say(`Keep ${name}: it is shown this once and never again.`);
}

/** `--sandbox` and the profile's environment imply `--environment`, if a procedure has that parameter. */
function withEnvironment(
  params: Params,
  parameters: readonly Parameter[],
  { flags }: Invocation,
  found: FoundCredentials | undefined,
): Params {
  if (!hasEnvironment(parameters)) return params;
  const chosen = environmentOf(flags, found?.values ?? {});
  if (params['environment'] === undefined) return chosen === 'sandbox' ? { ...params, environment: chosen } : params;
  if (flags.has('sandbox') && params['environment'] !== chosen) {
    throw new UsageError(
      `--environment ${String(params['environment'])} and --${chosen === 'sandbox' ? '' : 'no-'}sandbox contradict each other`,
    );
  }
  return params;
}

async function askPassword({ io }: Invocation, fromStdin: boolean): Promise<string> {
  if (fromStdin && !io.stdin.isTTY) return (await io.stdin.text()).replace(/\r?\n$/, '');
  if (!io.stdin.isTTY)
    throw new UsageError('--password is missing, and there is no terminal to ask for it', [
      '--password - reads it from stdin.',
    ]);
  await io.stderr.write('Password: ');
  const first = await io.stdin.secret();
  await io.stderr.write('Again: ');
  if ((await io.stdin.secret()) !== first) throw new UsageError('The two passwords differ');
  return first;
}

function noToken(found: FoundCredentials | undefined): CliError {
  return new CliError('unauthenticated', 'No operator token found', [
    `Set BROADSIDE_OPERATOR_TOKEN${found && !found.profile ? `, or put operator.token beside ${found.file}` : ''}.`,
    'A server with a demo writes operator.token into its data directory; the operator surface is closed otherwise.',
  ]);
}

interface Target {
  readonly call: Invocation;
  readonly baseUrl: string;
  readonly token: string;
}

async function callProcedure(
  operation: OperatorOperation,
  params: Params,
  { call, baseUrl, token }: Target,
): Promise<unknown> {
  const [{ trpcLinks }, trpc] = await Promise.all([import('@broadside/client/trpc'), import('@trpc/client')]);
  // Every address of the platform has the operator's procedures; the client knows the router by the name of this one.
  const links = trpcLinks({ ads_base_url: baseUrl }, { operatorToken: token, fetch: call.io.fetch });
  const client = new trpc.TRPCUntypedClient({ links });
  try {
    return await (operation.procedure === 'query'
      ? client.query(operation.id, params)
      : client.mutation(operation.id, params));
  } catch (error) {
    if (error instanceof trpc.TRPCClientError) throw failureOf(operation, error, baseUrl);
    throw error;
  }
}

function failureOf(
  operation: OperatorOperation,
  error: { data?: unknown; cause?: unknown; message: string },
  baseUrl: string,
): CliError {
  const { data } = error;
  if (isErrorData(data)) {
    const { httpStatus, errors, operation_errors } = data;
    const exit = exitOfStatus(httpStatus);
    const hints = exit === 'unauthenticated' ? ['The operator token is not the one of this platform.'] : [];
    return new CliError(exit, `${operation.id} was rejected with ${httpStatus}`, [
      ...reasonLines(errors, operation_errors),
      ...hints,
    ]);
  }
  const reason = error.cause instanceof Error ? innermost(error.cause) : error.message;
  return new CliError(
    'unreachable',
    `${operation.id} got no answer from ${baseUrl}: ${reason}`,
    networkHints(operation.procedure === 'mutation' && !isRefused(error.cause), 'POST'),
    error,
  );
}

function innermost(error: Error): string {
  return error.cause instanceof Error ? innermost(error.cause) : messageOf(error);
}

/** Returns whether there was no connection at all, so nothing can have happened. */
function isRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ('code' in error && (error.code === 'ECONNREFUSED' || error.code === 'ENOTFOUND')) || isRefused(error.cause);
}

interface ErrorData {
  readonly httpStatus: number;
  readonly errors: readonly WireError[];
  readonly operation_errors?: readonly (readonly WireError[])[];
}

function isErrorData(data: unknown): data is ErrorData {
  return (
    typeof data === 'object' && data !== null && 'httpStatus' in data && 'errors' in data && Array.isArray(data.errors)
  );
}

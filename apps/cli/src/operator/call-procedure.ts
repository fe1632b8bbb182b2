/** Calls of the operator's procedures, at a server that has proved to be the operator's. */
import { type ControlOperation, isRead, type OperatorOperation, type WireError } from '@broadside/core';
import type { Params } from '../commands/params.ts';
import { CliError, messageOf } from '../errors.ts';
import { exitOfStatus } from '../exit-codes.ts';
import type { Io } from '../io.ts';
import { networkHints, reasonLines } from '../report.ts';

/** A platform that has proved itself. */
interface Target {
  readonly io: Pick<Io, 'fetch'>;
  readonly baseUrl: string;
  readonly token: string;
  /** The world in which the procedure is called; the default one when left out. */
  readonly world?: string | undefined;
}

/** Calls a procedure of the operator. @throws CliError with the errors of the platform among its details */
export async function callProcedure(
  operation: OperatorOperation | ControlOperation,
  params: Params,
  { io, baseUrl, token, world }: Target,
): Promise<unknown> {
  const [{ trpcLinks }, trpc] = await Promise.all([import('@broadside/client/trpc'), import('@trpc/client')]);
  // Every address of the platform has the operator's procedures; the client knows the router by the name of this one.
  const fetch: Io['fetch'] = (url, init) => io.fetch(url, inWorld(init, world));
  const links = trpcLinks({ ads_base_url: baseUrl }, { operatorToken: token, fetch });
  const client = new trpc.TRPCUntypedClient({ links });
  try {
    return await (isRead(operation) ? client.query(operation.id, params) : client.mutation(operation.id, params));
  } catch (error) {
    if (error instanceof trpc.TRPCClientError) throw failureOf(operation, error, baseUrl);
    throw error;
  }
}

/** A request that names the world that it is about. */
function inWorld(init: RequestInit, world: string | undefined): RequestInit {
  if (world === undefined) return init;
  const headers = new Headers(init.headers);
  headers.set('broadside-world', world);
  return { ...init, headers };
}

function failureOf(
  operation: OperatorOperation | ControlOperation,
  error: { data?: unknown; cause?: unknown; message: string },
  baseUrl: string,
): CliError {
  const { data } = error;
  if (isErrorData(data)) {
    const { httpStatus, errors, operation_errors } = data;
    const exit = exitOfStatus(
      httpStatus,
      errors.map(({ code }) => code),
    );
    const hints = exit === 'unauthenticated' ? ['The operator token is not the one of this platform.'] : [];
    const lines = [...reasonLines(errors, operation_errors), ...hints];
    const details = {
      operation: operation.id,
      status: httpStatus,
      errors,
      ...(operation_errors === undefined ? {} : { operation_errors }),
    };
    return new CliError(exit, `${operation.id} was rejected with ${httpStatus}`, lines, undefined, details);
  }
  const reason = error.cause instanceof Error ? innermost(error.cause) : error.message;
  return new CliError(
    'unreachable',
    `${operation.id} got no answer from ${baseUrl}: ${reason}`,
    networkHints(!isRead(operation) && !isRefused(error.cause), 'POST'),
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

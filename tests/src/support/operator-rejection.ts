import { TRPCClientError } from '@trpc/client';

/** Returns the status and the codes with which a call is rejected, over tRPC or by the client. */
export async function rejection(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
    return 'no rejection';
  } catch (error) {
    if (error instanceof TRPCClientError)
      return [error.data?.httpStatus, ...(error.data?.errors ?? []).map((one: { code: string }) => one.code)];
    if (error instanceof Error && 'status' in error && 'errors' in error && Array.isArray(error.errors)) {
      return [error.status, ...error.errors.map((one: { code: string }) => one.code)];
    }
    throw error;
  }
}

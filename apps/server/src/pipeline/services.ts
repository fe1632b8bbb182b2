import type { AnyOperation } from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import type { Readiness } from '../readiness.ts';
import type { PipelineContext } from './context-for.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Authenticator } from './verify-caller.ts';

/** Services that the pipeline uses. */
export interface Services extends Authenticator {
  readonly limiter: RateLimiter;
  readonly handlerOf: (operation: AnyOperation) => UntypedHandler;
  readonly readiness: Readiness;
}

/** A handler as called by the pipeline. The registry has checked its parameter and result types. */
export type UntypedHandler = (context: PipelineContext, params: unknown) => Awaitable<unknown>;

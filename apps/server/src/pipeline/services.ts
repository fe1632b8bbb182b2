import type { AnyOperation } from '@broadside/core';
import type { Awaitable } from '../awaitable.ts';
import type { RunningBackups } from '../backup/running-backups.ts';
import type { Readiness } from '../readiness.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { WorldHost } from '../worlds/world-host.ts';
import type { WorldFinder } from './choose-world.ts';
import type { PipelineContext } from './context-for.ts';
import type { Authenticator } from './verify-caller.ts';
import type { WorldServices } from './world-services.ts';

/** Services that the pipeline uses. */
export interface Services extends Authenticator, WorldServices {
  readonly handlerOf: (operation: AnyOperation) => UntypedHandler;
  readonly readiness: Readiness;
  /** What is measured of calls, where it is. */
  readonly telemetry?: Telemetry | undefined;
  /** The other worlds, where calls to this one may belong to them. */
  readonly worlds?: WorldFinder<Services> | undefined;
  /** All worlds of the server, known to the default one; `undefined` where there is only this one. */
  readonly host?: WorldHost<Services> | undefined;
  /** Backups that the server makes, known to the default world. */
  readonly backups?: (() => RunningBackups) | undefined;
}

/** A handler as called by the pipeline. The registry has checked its parameter and result types. */
export type UntypedHandler = (context: PipelineContext, params: unknown) => Awaitable<unknown>;

import type { AnyOperation, ApiError, RawParams } from '@broadside/core';
import type { OtherNames } from '@broadside/core/resources/custom-audiences';
import type { Environment } from '../world/environment.ts';
import type { World } from '../world/world.ts';
import type { ReceivedBytes } from './caller.ts';
import type { Credentials } from './credentials.ts';

/** A call as an adapter hands it over. */
export interface Call {
  readonly operation: AnyOperation;
  readonly environment: Environment;
  readonly credentials: Credentials;
  /** Path parameters, query, form or JSON members, by name. For a batch the path parameters only. */
  readonly params: RawParams;
  /** The items of a batch. */
  readonly items?: unknown;
  /** The items of a batch of users as JSON in bytes, instead of `items`. They are read once the caller is known. */
  readonly json?: Uint8Array | undefined;
  /** Names under which members of `json` may come beside their own, in the dialect of the caller. */
  readonly otherNames?: OtherNames | undefined;
  /** Why the adapter could not decode the parameters; reported once the caller is authenticated. */
  readonly problem?: ApiError | undefined;
  /**
   * Reads a body that is too large to be read before the caller is known and may do this; only then is it known what
   * exactly is called. @param world the one that the caller belongs to @throws ApiError where the body cannot be read
   */
  readonly receive?: ((world: World) => Promise<LateCall>) | undefined;
  /** Takes what has to be ended with the call, such as being inside a world. */
  readonly entered?: (() => void)[] | undefined;
  /** Bytes that came with the call. */
  readonly bytes?: ReceivedBytes | undefined;
}

/** Properties of a call that are known once its body was read. */
export type LateCall = Pick<Call, 'operation' | 'params' | 'problem' | 'bytes'>;

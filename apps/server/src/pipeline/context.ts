import type {
  AnyOperation,
  AuthAccess,
  ErrorName,
  ErrorsOf,
  LookupResult,
  OutcomeOf,
  ParamsOf,
  Permission,
  Reject,
} from '@broadside/core';
import type { PackedUsers, UsersOperation } from '@broadside/core/resources/custom-audiences';
import type { Awaitable } from '../awaitable.ts';
import type { RunningBackups } from '../backup/running-backups.ts';
import type { Actor } from '../db/change-log.ts';
import type { AccountRow } from '../world/account-directory.ts';
import type { AccountStore } from '../world/account-store.ts';
import type { AdsStore } from '../world/ads-store.ts';
import type { Environment } from '../world/environment.ts';
import type { World } from '../world/world.ts';
import type { WorldHost } from '../worlds/world-host.ts';
import type { AppCaller, Caller, ReceivedBytes, RequestTokenCaller, UserCaller } from './caller.ts';
import type { Mode } from './mode.ts';
import type { WorldServices } from './world-services.ts';

/** Context of every handler. */
export interface Context {
  readonly world: World;
  /** The mode, which decides whether mistakes of callers may be explained by what others own. */
  readonly mode: Mode;
  readonly environment: Environment;
  /** The environment's advertising data. */
  readonly ads: AdsStore;
  readonly caller: Caller;
  /** The user on whose behalf the call is made; null when the operator calls. */
  readonly user_id: string | null;
  /** The author in the change log. */
  readonly actor: Actor;
  /** The public base URL of the platform's first port, where media, posts and pages are. */
  readonly baseUrl: string;
  /** Backups of the platform; `undefined` in worlds but the default one. */
  readonly backups: (() => RunningBackups) | undefined;
}

/** Further context of handlers of operations below an account. */
export interface AccountContext extends Context {
  /** The account of the path: the only account data within reach. */
  readonly account: AccountStore;
  /** Its record. Never deleted, except where a handler says that it takes deleted accounts too. */
  readonly record: AccountRow;
  readonly permissions: readonly Permission[];
}

/** Possible callers of an authentication endpoint, by the kind of authentication that it requires. */
type CallerOf<Access extends AuthAccess> = Access extends { readonly auth: 'request_token' }
  ? RequestTokenCaller
  : Access extends { readonly auth: 'access_token' }
    ? UserCaller
    : AppCaller;

/** Context of handlers of authentication endpoints. */
interface AuthContext<Who extends Caller = Caller> {
  readonly world: World;
  readonly caller: Who;
  readonly actor: Actor;
}

/** Context of handlers of data retrieval. */
interface DataContext {
  readonly world: World;
  readonly caller: Caller;
  /** The person who looks; null for an app without one. */
  readonly user_id: string | null;
  /** The public base URL of the platform, as the caller reached it, with the prefix of the world. */
  readonly baseUrl: string;
  /** The same without the prefix: the types of problems are the same in each world. */
  readonly problemUrl: string;
}

/** Context of handlers of the media upload. */
export interface UploadContext {
  readonly world: World;
  readonly caller: UserCaller;
  /** Given where the operation takes bytes; the adapter takes back what the handler does not use. */
  readonly bytes: ReceivedBytes | undefined;
}

/** Context of handlers of the control of worlds. */
export interface HostContext {
  /** All worlds of the server. */
  readonly host: WorldHost<WorldServices>;
  /** The mode, in which all worlds are. */
  readonly mode: Mode;
  readonly caller: Caller;
  /** The author in change logs. */
  readonly actor: Actor;
  /** The public base URL of the control listener, as the caller reached it. */
  readonly baseUrl: string;
}

/** Further context of handlers of operations in one world. */
export interface WorldContext extends HostContext {
  /** The world that `world_id` identifies. It stays open until the handler has ended. */
  readonly world: World;
  /** All that the server keeps for that world. */
  readonly services: WorldServices;
}

/** Context of any handler. */
export type AnyContext =
  | Context
  | AccountContext
  | AuthContext
  | DataContext
  | UploadContext
  | HostContext
  | WorldContext;

/** Contexts of the operation `O` by kind; one that its kind does not have is not looked at. */
interface Contexts<O extends AnyOperation> {
  readonly ads: O['access'] extends { readonly capability: string } ? AccountContext : Context;
  readonly operator: Context;
  readonly control: O['access'] extends { readonly world: 'open' } ? WorldContext : HostContext;
  readonly auth: O['access'] extends AuthAccess ? AuthContext<CallerOf<O['access']>> : never;
  readonly data: DataContext;
  readonly upload: UploadContext;
}

/** The way to reject a call with errors of these names. */
export interface Rejecting<Name extends ErrorName> {
  readonly reject: Reject<Name>;
}

/** The arguments of a handler: the context of its kind, and the way to reject with what the operation lists or implies. */
export type HandlerContext<O extends AnyOperation> = Contexts<O>[O['kind']] & Rejecting<ErrorsOf<O>>;

/** The implementation of one operation. What it has at once, it returns without a promise. */
export type Handler<O extends AnyOperation> = (
  context: HandlerContext<O>,
  params: Handled<ParamsOf<O>>,
) => Awaitable<GivenBy<O>>;

/** Users of a batch are packed when a handler gets them. */
type Handled<Params> = Params extends { readonly operations: readonly UsersOperation<never, never>[] }
  ? Omit<Params, 'operations'> & { readonly operations: PackedUsers }
  : Params;

/** Data retrieval gives values as they are stored; all else gives what callers get. */
type GivenBy<O extends AnyOperation> = O['kind'] extends 'data' ? LookupResult : OutcomeOf<O>;

/** A handler for each operation of a part of the contract: one that is missing does not compile. */
export type HandlersOf<Node> = {
  readonly [Name in keyof Node]: Node[Name] extends AnyOperation ? Handler<Node[Name]> : HandlersOf<Node[Name]>;
};

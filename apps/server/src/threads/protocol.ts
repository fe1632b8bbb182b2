/** What the main thread and reader threads say to each other. */
import type { Server } from 'node:http';
import type { ListenerName } from '../app.ts';
import type { WrittenNonces } from '../auth/nonce-sharing.ts';
import type { Config } from '../config/config.ts';
import type { StoreName } from '../world/world.ts';
import type { SharedNonceMemory } from './shared-nonces.ts';
import type { SharedWindowMemory } from './shared-windows.ts';

/** A port on which a thread listens, and where it passes on what it does not serve. */
export interface ReaderListener {
  readonly name: ListenerName;
  readonly addresses: readonly { readonly host: string; readonly port: number }[];
  readonly socketPath: string;
  readonly limits: ServerLimits;
}

/** What holds for the listeners of all threads alike, beside the limits of the configuration. */
type ServerLimits = Pick<Server, 'keepAliveTimeout' | 'maxHeadersCount' | 'maxRequestsPerSocket' | 'timeout'>;

/** What a reader thread starts with. */
export interface ReaderStart {
  /** Its number among the threads of the server; the main thread has 0. */
  readonly thread: number;
  readonly config: Config;
  readonly operatorToken: string | undefined;
  readonly urls: Readonly<Record<ListenerName, string>>;
  readonly listeners: readonly ReaderListener[];
  /** Proves to the main thread who passes requests on. */
  readonly secret: string;
  readonly platformKey: string;
  readonly generations: Readonly<Record<StoreName, SharedArrayBuffer>>;
  readonly nonces: SharedNonceMemory;
  readonly grant: SharedArrayBuffer;
  readonly windows: SharedWindowMemory;
  readonly connections: SharedArrayBuffer;
}

/** Messages of a reader thread. */
export type FromReader =
  | { readonly kind: 'listening' }
  /** Lines of the log, as they are to be written, and the number of those that were dropped before them. */
  | { readonly kind: 'log'; readonly lines: readonly string[]; readonly lost: number }
  | { readonly kind: 'nonces'; readonly written: WrittenNonces };

/** Messages to a reader thread. */
export type ToReader =
  /** To finish what is under way, and end. */
  | { readonly kind: 'stop' }
  /** Lines of its log have been taken. */
  | { readonly kind: 'logged'; readonly lines: number };

/** The messages between the main thread and reader threads. */
import type { Server } from 'node:http';
import type { ListenerName } from '../app.ts';
import type { WrittenNonces } from '../auth/nonce-sharing.ts';
import type { Config } from '../config/config.ts';
import type { LoadedDialects } from '../dialects/dialects.ts';
import type { Handed } from '../journal/journal.ts';
import type { TlsSecrets } from '../listening/tls-servers.ts';
import type { Figure } from '../telemetry/figures.ts';
import type { StoreName } from '../world/world-options.ts';
import type { HandedLines } from './line-queue.ts';
import type { SharedNonceMemory } from './shared-nonces.ts';
import type { SharedWindowMemory } from './shared-windows.ts';

/** A port on which a thread listens, and where it passes on what it does not serve. */
export interface ReaderListener {
  readonly name: ListenerName;
  readonly addresses: readonly { readonly host: string; readonly port: number }[];
  readonly socketPath: string;
  readonly limits: ServerLimits;
  /** It speaks TLS. */
  readonly secure: boolean;
}

/** The limits of the listeners of all threads alike, beside the limits of the configuration. */
type ServerLimits = Pick<Server, 'keepAliveTimeout' | 'maxHeadersCount' | 'maxRequestsPerSocket' | 'timeout'>;

/** What threads see of the world of the main thread. */
export interface ShownWorld {
  readonly platformKey: string;
  /** Says that there are rules of faults, which the main thread decides. */
  readonly faults: SharedArrayBuffer;
  readonly generations: Readonly<Record<StoreName, SharedArrayBuffer>>;
  /** The time of the world. */
  readonly time: SharedArrayBuffer;
}

/** A world with the windows of its rate limits. */
export interface ReaderWorld extends ShownWorld {
  readonly windows: SharedWindowMemory;
}

/** The options of a reader thread. */
export interface ReaderStart extends ReaderWorld {
  /** Its number among the threads of the server; the main thread has 0. */
  readonly thread: number;
  readonly config: Config;
  readonly dialects: LoadedDialects;
  readonly operatorToken: string | undefined;
  readonly urls: Readonly<Record<ListenerName, string>>;
  readonly listeners: readonly ReaderListener[];
  /** Sockets to listen on in place of those that it would open, by listener. */
  readonly inherited: Readonly<Record<ListenerName, number | undefined>> | undefined;
  /** The certificate, where listeners speak TLS. */
  readonly tls: TlsSecrets | undefined;
  /** Proves to the main thread who passes requests on. */
  readonly secret: string;
  readonly nonces: SharedNonceMemory;
  readonly grant: SharedArrayBuffer;
  readonly connections: SharedArrayBuffer;
  /** Counts the lines of its log that it has not handed over. */
  readonly lines: SharedArrayBuffer;
}

/** Messages of a reader thread. */
export type FromReader =
  /** With the sockets that it has opened, for a successor. */
  | { readonly kind: 'listening'; readonly sockets: Readonly<Record<ListenerName, readonly number[]>> }
  /** It has left the world, and passes everything on. */
  | { readonly kind: 'paused' }
  /** Lines of the log, as they are to be written. */
  | { readonly kind: 'log'; readonly handed: HandedLines }
  | { readonly kind: 'nonces'; readonly written: WrittenNonces }
  /** All that it has counted: the answer to a message of this kind. */
  | { readonly kind: 'figures'; readonly figures: readonly Figure[] }
  /** Calls of its journal: the answer to a message of this kind, or all that it has left when it ends. */
  | { readonly kind: 'journal'; readonly handed: Handed };

/** Messages to a reader thread. */
export type ToReader =
  /** To have each answer end its connection, and not to stop before that time has passed. */
  | { readonly kind: 'drain'; readonly wait_ms: number }
  /** To finish what is under way, and end. */
  | { readonly kind: 'stop' }
  /** To leave the world, which is to be replaced. */
  | { readonly kind: 'pause' }
  /** To enter the world that has taken its place. */
  | { readonly kind: 'resume'; readonly world: ReaderWorld }
  /** To serve new connections with another certificate. */
  | { readonly kind: 'certificate'; readonly tls: TlsSecrets }
  /** Lines of its log have been taken. */
  | { readonly kind: 'logged'; readonly lines: number }
  /** To say what it has counted. */
  | { readonly kind: 'figures' }
  /** To hand over what its journal has, up to so many requests. */
  | { readonly kind: 'journal'; readonly most: number };

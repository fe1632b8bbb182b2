/** Opens a store by its location. */
import { fileURLToPath } from 'node:url';
import { errorText } from '../error-text.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { DatabaseOpenError } from './errors.ts';
import { Generations } from './generations.ts';
import { openNativeClient } from './native-client.ts';

/** Options of {@link openDatabase}. */
export interface OpenOptions extends Pick<DatabaseOptions, 'keep'> {
  /** The setting that says where the store is, for errors. */
  readonly setting?: string;
  /** Sent to a remote server. */
  readonly authToken?: string;
  /**
   * Accepts a server that acknowledges a commit before it is on its disk, and is called with a sentence about it. Without, such a store is
   * not opened.
   */
  readonly acceptWeakDurability?: ((warning: string) => void) | undefined;
  /** Opens the store for reading, in a thread beside the one that writes it. A remote store can be written by any. */
  readonly reading?: { readonly generations: Generations };
  /** Syncs each commit of a file; true by default. Without, the caller syncs the file after it is closed. */
  readonly synced?: boolean;
  /** Opens a store on a server that is to be filled from a backup; any other opening rejects one that is not whole. */
  readonly isToBeFilled?: boolean;
  /** Takes less memory for a file and what is kept of it, see `NativeClientOptions` and `Generations`; false by default. */
  readonly frugal?: boolean;
  /** Other threads of the process read the store, and so its counters; false by default. */
  readonly hasReaders?: boolean;
}

/**
 * Opens a store: a path or `file:` URL with the embedded client, `libsql:`, `https:`, `http:`, `wss:` and `ws:` on a
 * server, which has to answer.
 * @throws DatabaseOpenError with one clear sentence.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  const scheme = schemeOf(url);
  const hasFew = options.frugal === true && options.hasReaders !== true;
  switch (scheme) {
    case undefined:
    case 'file':
      return new Database(
        openNativeClient({
          path: scheme === undefined ? filePath(url) : pathOfFileUrl(url),
          readOnly: options.reading !== undefined,
          synced: options.synced ?? true,
          frugal: options.frugal ?? false,
        }),
        {
          generations: options.reading?.generations ?? (hasFew ? Generations.few() : undefined),
          keep: options.keep,
        },
      );
    case 'libsql':
    case 'https':
    case 'http':
    case 'wss':
    case 'ws': {
      const { openRemote } = await import('./remote/open-remote.ts');
      return new Database(await openRemote(url, options));
    }
    default:
      throw new DatabaseOpenError(
        url.replace(/\?.*/s, ''),
        `the scheme "${scheme}:" is unknown (use a path, file:, libsql:, https:, http:, wss: or ws:)`,
      );
  }
}

/** The file of a store, by its location; `undefined` for one on a server. @throws DatabaseOpenError for a location that is none */
export function fileOfLocation(url: string): string | undefined {
  const scheme = schemeOf(url);
  if (scheme === undefined) return filePath(url);
  return scheme === 'file' ? pathOfFileUrl(url) : undefined;
}

function schemeOf(url: string): string | undefined {
  // A scheme of one letter is a drive.
  return /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
}

function filePath(path: string): string {
  if (path === '' || path.startsWith(':memory:')) {
    throw new DatabaseOpenError(JSON.stringify(path), 'it must be a file, databases in memory lose data');
  }
  return path;
}

function pathOfFileUrl(url: string): string {
  if (/[?#]/.test(url)) throw new DatabaseOpenError(url, 'a file: URL takes no query and no fragment');
  try {
    // `file:relative.db` is not a URL by the standard, but it is what libSQL's own tools take.
    return filePath(/^file:\//i.test(url) ? fileURLToPath(url) : decodeURIComponent(url.slice('file:'.length)));
  } catch (error) {
    if (error instanceof DatabaseOpenError) throw error;
    throw new DatabaseOpenError(url, errorText(error), error);
  }
}

/** Opens a store by its location. */
import { fileURLToPath } from 'node:url';
import { Database, type DatabaseOptions } from './database.ts';
import { DatabaseOpenError } from './errors.ts';
import type { Generations } from './generations.ts';
import { openNativeClient } from './native-client.ts';

/** Options of {@link openDatabase}. */
export interface OpenOptions extends Pick<DatabaseOptions, 'keep'> {
  /** Sent to a remote server as a bearer token. */
  readonly authToken?: string;
  /** Opens the store for reading, in a thread beside the one that writes it. A remote store can be written by any. */
  readonly reading?: { readonly generations: Generations };
  /** Syncs each commit of a file; true by default. Without, the caller syncs the file after it is closed. */
  readonly synced?: boolean;
}

/**
 * Opens a store: a path or `file:` URL with the embedded client, `libsql:`, `https:`, `http:`, `wss:` and `ws:` with
 * `@libsql/client`. A remote server is not contacted yet: use {@link Database.ping}.
 * @throws DatabaseOpenError with one clear sentence.
 */
export async function openDatabase(url: string, options: OpenOptions = {}): Promise<Database> {
  // A scheme of one letter is a drive.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(url)?.[1]?.toLowerCase();
  switch (scheme) {
    case undefined:
    case 'file':
      return new Database(
        openNativeClient({
          path: scheme === undefined ? filePath(url) : pathOfFileUrl(url),
          readOnly: options.reading !== undefined,
          synced: options.synced ?? true,
        }),
        { generations: options.reading?.generations, keep: options.keep },
      );
    case 'libsql':
    case 'https':
    case 'http':
    case 'wss':
    case 'ws': {
      const { createClient } = await import('@libsql/client');
      try {
        const { authToken } = options;
        return new Database(
          createClient({ url, intMode: 'bigint', ...(authToken === undefined ? {} : { authToken }) }),
        );
      } catch (error) {
        // The query may carry a token.
        throw new DatabaseOpenError(
          url.replace(/\?.*/s, ''),
          error instanceof Error ? error.message : String(error),
          error,
        );
      }
    }
    default:
      throw new DatabaseOpenError(
        url.replace(/\?.*/s, ''),
        `the scheme "${scheme}:" is unknown (use a path, file:, libsql:, https:, http:, wss: or ws:)`,
      );
  }
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
    throw new DatabaseOpenError(url, error instanceof Error ? error.message : String(error), error);
  }
}

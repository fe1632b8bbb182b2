/** Where a store on a server is. */
import { parseLibsqlUrl } from '@libsql/hrana-client';
import { errorText } from '../../error-text.ts';
import { DatabaseOpenError } from '../errors.ts';

/** The address of a store. */
export interface Address {
  /** `ws:` or `wss:`. */
  readonly url: string;
  readonly authToken: string | undefined;
  /** Its address without what may be secret, for messages. */
  readonly shown: string;
}

/**
 * Reads `libsql:`, `https:`, `http:`, `wss:` and `ws:` addresses; each is spoken to over a WebSocket.
 * @param authToken the one of the query has precedence
 * @throws DatabaseOpenError
 */
export function readAddress(location: string, authToken: string | undefined): Address {
  // The query may carry a token.
  const shown = location.replace(/\?.*/s, '');
  try {
    const { hranaWsUrl, hranaHttpUrl, authToken: given } = parseLibsqlUrl(location);
    const url = hranaWsUrl ?? hranaHttpUrl?.replace(/^http/, 'ws') ?? location;
    return { url, authToken: given ?? authToken, shown };
  } catch (error) {
    throw new DatabaseOpenError(shown, errorText(error), error);
  }
}

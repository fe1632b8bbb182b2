/** A pasted request, in any of the supported formats. */

/** A header as pasted; names are case-insensitive. */
export type Header = readonly [name: string, value: string];

/** A request before it is known what it says. */
export interface PastedRequest {
  readonly method: string;
  /** `http` or `https`, where the text says it. */
  readonly scheme: string | undefined;
  /** Host and port, where the text says it. */
  readonly host: string | undefined;
  /** Path and query, as sent. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: string | undefined;
  /** Parts that were ignored. */
  readonly notes: readonly string[];
}

/** The text is not a request. */
export class PasteError extends Error {
  override readonly name = 'PasteError';
}

/** The value of a header; the last where it comes more than once. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  return headers.findLast(([own]) => own.toLowerCase() === name)?.[1];
}

/** The parts of an address. */
export interface AddressParts {
  readonly scheme: string;
  readonly host: string;
  /** `name:password`, as `curl` takes it from the address. */
  readonly user: string | undefined;
  readonly target: string;
}

const ABSOLUTE = /^(https?):\/\/(?:([^/?#]*)@)?([^/?#@]+)([^?#]*)(\?[^#]*)?/i;

/** Splits a URL without normalizing it; `undefined` when it is not a URL. */
export function addressParts(url: string): AddressParts | undefined {
  const [, scheme, user, host, path = '', query = ''] = ABSOLUTE.exec(url.trim()) ?? [];
  if (scheme === undefined || host === undefined) return undefined;
  return { scheme: scheme.toLowerCase(), host, user, target: `${path === '' ? '/' : path}${query}` };
}

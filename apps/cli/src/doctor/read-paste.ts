/** Finds out what was pasted, and reads it. */
import { isCurl, readCurl } from './curl.ts';
import { readHttp } from './http-text.ts';
import { addressParts, type Header, type PastedRequest, PasteError } from './pasted.ts';

/** Reads a request from a curl command line, the text of an HTTP request, or JSON. @throws PasteError */
export function readPaste(text: string): PastedRequest {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  if (trimmed === '') throw new PasteError('There is no request to look at');
  if (trimmed.startsWith('{')) return readJson(trimmed);
  // A path and a header may name curl too.
  const isHttp = /^(?::|> |[A-Z]+ (?:\/|https?:\/\/))/.test(trimmed);
  return !isHttp && isCurl(trimmed) ? readCurl(trimmed) : readHttp(text.replace(/^\ufeff/, ''));
}

type Members = Readonly<Record<string, unknown>>;

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `{method, url, headers, body}`, or the `request` of an entry that browsers export (HAR). */
function readJson(text: string): PastedRequest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PasteError('It begins like JSON, but is none');
  }
  const outer = isMembers(value) ? value : {};
  const request = isMembers(outer['request']) ? outer['request'] : outer;
  const { method = 'GET', url, headers, body, postData } = request;
  const parts = typeof url === 'string' ? addressParts(url) : undefined;
  if (!parts) throw new PasteError('The JSON needs "url", an http or https address');
  if (typeof method !== 'string') throw new PasteError('"method" must be text');
  const sent = body ?? (isMembers(postData) ? postData['text'] : undefined) ?? undefined;
  if (sent !== undefined && typeof sent !== 'string') throw new PasteError('"body" must be text, as it was sent');
  const { scheme, host, target } = parts;
  return { method, scheme, host, target, headers: headersOf(headers), body: sent, notes: [] };
}

/** An object by name, a list of pairs, or a list of `{name, value}`. */
function headersOf(value: unknown): Header[] {
  if (value === undefined || value === null) return [];
  const entries: unknown[] = Array.isArray(value) ? value : isMembers(value) ? Object.entries(value) : [];
  return entries.map((entry) => {
    const [name, text] = Array.isArray(entry)
      ? [entry[0], entry[1]]
      : isMembers(entry)
        ? [entry['name'], entry['value']]
        : [];
    if (typeof name !== 'string' || typeof text !== 'string') throw new PasteError('"headers" must be texts by name');
    return [name, text] as const;
  });
}

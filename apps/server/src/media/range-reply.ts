/** Responses to requests for a file: whole, partial or none (RFC 9110, sections 13 and 14). */

/** Request for a file. */
export interface FileRequest {
  readonly method: string;
  /** Headers in Node's form: names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** The file. */
export interface ServedFile {
  readonly size: number;
  /** The type found by inspection; other types are served as downloads. */
  readonly content_type: string;
  /** A tag that identifies these bytes, such as their digest; without quotes. */
  readonly etag: string;
  /** The file name for a person who saves the file. */
  readonly file_name?: string | undefined;
  /** True where the address will always return these bytes. */
  readonly is_immutable: boolean;
}

/** The response. `range` selects the bytes of the body; without one the response has no body. */
export interface FileReply {
  readonly status: 200 | 206 | 304 | 405 | 412 | 416;
  readonly headers: Readonly<Record<string, string>>;
  readonly range?: { readonly start: number; readonly end: number };
}

/** Types that a browser displays and that cannot run anything. */
const shownTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'video/mp4', 'video/quicktime']);

const YEAR_SECONDS = 31_536_000;

/** Computes the response to a request for a file. For a senseless range, it is the whole file, as browsers expect. */
export function rangeReply(request: FileRequest, file: ServedFile): FileReply {
  const etag = `"${file.etag}"`;
  const isHead = request.method === 'HEAD';
  if (!isHead && request.method !== 'GET') return { status: 405, headers: { allow: 'GET, HEAD', ...safeHeaders } };
  const kept = {
    etag,
    'accept-ranges': 'bytes',
    'cache-control': file.is_immutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache',
    ...safeHeaders,
  };
  const match = header(request, 'if-match');
  if (match !== undefined && !names(match, etag, true)) return { status: 412, headers: kept };
  const noneMatch = header(request, 'if-none-match');
  if (noneMatch !== undefined && names(noneMatch, etag, false)) return { status: 304, headers: kept };
  const isShown = shownTypes.has(file.content_type);
  const described = {
    ...kept,
    'content-type': isShown ? file.content_type : 'application/octet-stream',
    'content-disposition': disposition(isShown ? 'inline' : 'attachment', file.file_name),
  };
  const range = isHead ? 'whole' : readRange(request, file.size, etag);
  if (range === 'unsatisfiable') {
    return { status: 416, headers: { ...kept, 'content-range': `bytes */${file.size}` } };
  }
  if (range === 'whole') {
    const headers = { ...described, 'content-length': String(file.size) };
    const hasBody = !isHead && file.size > 0;
    return { status: 200, headers, ...(hasBody ? { range: { start: 0, end: file.size - 1 } } : {}) };
  }
  return {
    status: 206,
    headers: {
      ...described,
      'content-length': String(range.end - range.start + 1),
      'content-range': `bytes ${range.start}-${range.end}/${file.size}`,
    },
    range,
  };
}

/** No upload may act as a page of the server. */
const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
} as const;

/**
 * Parses the single range of a request. Multiple ranges, units other than bytes, and malformed headers may be ignored,
 * so the whole file is sent.
 */
function readRange(
  request: FileRequest,
  size: number,
  etag: string,
): { start: number; end: number } | 'whole' | 'unsatisfiable' {
  const condition = header(request, 'if-range');
  // A weak tag and a date (none is ever sent) do not guarantee that the bytes are the same.
  if (condition !== undefined && condition.trim() !== etag) return 'whole';
  const given = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header(request, 'range') ?? '');
  if (!given) return 'whole';
  const [, first = '', last = ''] = given;
  if (first === '' && last === '') return 'whole';
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 };
  }
  // Compared as digits: beyond 2^53 two numbers can be equal after rounding.
  if (last !== '' && BigInt(last) < BigInt(first)) return 'whole';
  const start = Number(first);
  const end = last === '' ? Number.POSITIVE_INFINITY : Number(last);
  return start >= size ? 'unsatisfiable' : { start, end: Math.min(end, size - 1) };
}

/** Returns whether a list of entity tags contains one. */
function names(list: string, etag: string, isStrong: boolean): boolean {
  if (list.trim() === '*') return true;
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.some((tag) => tag === etag || (!isStrong && tag === `W/${etag}`));
}

function header(request: FileRequest, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Returns `Content-Disposition` with the name in ASCII for old clients and in UTF-8 for all others (RFC 6266). */
function disposition(kind: 'inline' | 'attachment', fileName: string | undefined): string {
  const name = (fileName ?? '')
    .toWellFormed()
    .replaceAll(/[\p{C}/\\]/gu, '')
    .slice(-100);
  if (name === '') return kind;
  const ascii = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return ascii === name ? `${kind}; filename="${ascii}"` : `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

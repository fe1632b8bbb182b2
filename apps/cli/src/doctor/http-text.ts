/** Reads a request in the form of the wire, as logs, proxies, `curl -v` and browsers show it. */
import { addressParts, type Header, headerOf, type PastedRequest, PasteError } from './pasted.ts';

const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]+)[ \t]+(\S+)(?:[ \t]+HTTP\/[\d.]+)?[ \t]*$/i;

/** Reads a request. @throws PasteError when the first line is not a request line */
export function readHttp(text: string): PastedRequest {
  const lines = sentLines(text.replaceAll('\r\n', '\n').replace(/^\s+/, '')).split('\n');
  const [first = ''] = lines;
  // Browsers copy the headers of HTTP/2 with the request line as headers of their own.
  const asHeaders = first.startsWith(':');
  const [, method = '', path = ''] = REQUEST_LINE.exec(first) ?? [];
  if (!asHeaders && method === '') {
    throw new PasteError(
      'This is neither a curl command line, nor a request line such as GET /12/accounts HTTP/1.1, nor JSON',
    );
  }
  const end = lines.indexOf('');
  const head = lines.slice(asHeaders ? 0 : 1, end === -1 ? undefined : end);
  const headers = readHeaders(head);
  const pseudo = (name: string) => headerOf(headers, `:${name}`);
  const whole = addressParts(path);
  const target = whole?.target ?? (asHeaders ? pseudo('path') : path);
  if (target === undefined || !target.startsWith('/')) throw new PasteError('The request line has no path');
  return {
    method: asHeaders ? (pseudo('method') ?? 'GET') : method,
    scheme: whole?.scheme ?? pseudo('scheme'),
    host: whole?.host ?? pseudo('authority') ?? headerOf(headers, 'host'),
    target,
    headers: headers.filter(([name]) => !name.startsWith(':')),
    body: end === -1 ? undefined : bodyOf(lines.slice(end + 1).join('\n'), headerOf(headers, 'content-length')),
    notes: [],
  };
}

/** Of the talk that `curl -v` shows, what was sent. */
function sentLines(text: string): string {
  const lines = text.split('\n');
  if (!lines.some((line) => REQUEST_LINE.test(line.replace(/^> /, '')) && line.startsWith('> '))) return text;
  return lines.flatMap((line) => (/^>( |$)/.test(line) ? [line.replace(/^> ?/, '').trimEnd()] : [])).join('\n');
}

function readHeaders(lines: readonly string[]): Header[] {
  const headers: [string, string][] = [];
  for (const line of lines) {
    const last = headers.at(-1);
    const [, name, value = ''] = /^(:?[^\s:]+)[ \t]*:[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== undefined && !/^[ \t]/.test(line)) headers.push([name, value.trimEnd()]);
    // An indented line continues the previous one.
    else if (last && /^[ \t]/.test(line)) last[1] = `${last[1]} ${line.trim()}`;
  }
  return headers;
}

/** The body, without the line break that pasting adds. */
function bodyOf(text: string, length: string | undefined): string | undefined {
  const bytes = Buffer.from(text);
  const cut = length !== undefined && /^\d{1,9}$/.test(length) ? Number(length) : undefined;
  const body = cut !== undefined && cut <= bytes.length ? bytes.subarray(0, cut).toString() : text.replace(/\n+$/, '');
  return body === '' ? undefined : body;
}

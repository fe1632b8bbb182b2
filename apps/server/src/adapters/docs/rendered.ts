/**
 * Texts that contain addresses of the server: pages of the reference, and documents. Without a configured address the caller names the
 * host, and could name another one each time. So a text is rendered once, with marks in place of the addresses, which are filled in
 * while it is sent: what waits for a client that does not read is not a copy.
 */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Dialect } from '@broadside/core/dialect';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Awaitable } from '../../awaitable.ts';
import { type Spoken, spokenBy } from '../../dialects/spoken.ts';
import type { ListenerName } from '../../listener-name.ts';

/** The addresses that a text contains. */
export interface Addresses {
  /** The base URL of the listener. */
  readonly own: string;
  /** Those of all listeners, where they are known. */
  readonly listeners?: Readonly<Record<ListenerName, string>> | undefined;
}

/** Renders a text. */
export type Render = (addresses: Addresses, spoken: Spoken | undefined) => Awaitable<string>;

interface Template {
  /** The bytes between the addresses. */
  readonly texts: readonly Buffer[];
  /** The names of the addresses that follow them. */
  readonly names: readonly string[];
  readonly hash: string;
  zipped?: Zipped;
}

interface Zipped {
  /** The tag of the text. */
  readonly tag: string;
  readonly bytes: Promise<Buffer>;
  isMade: boolean;
}

/** Bytes that are handed over at once. */
const SLICE_BYTES = 65_536;

/** A mark has the form of the address that it stands for, for a shell takes one with brackets in quotes only. */
const MARK = /http:\/\/(?:(\w+)\.address\.invalid|\[(\w+)\.address\.invalid\])/;
const NAMED = /^https?:\/\/[\w.-]+(?::\d+)?(?:\/[\w.-]+)*$/;
const NUMBERED = /^https?:\/\/\[[\w:.]+\](?::\d+)?(?:\/[\w.-]+)*$/;

const zip = promisify(gzip);

/** A text, rendered on first request. */
export class Rendered {
  readonly #render: Render;
  readonly #templates = new Map<Dialect | undefined, Map<string, Awaitable<Template>>>();

  constructor(render: Render) {
    this.#render = render;
  }

  /**
   * Answers a request.
   * @param isOwn the addresses are those of the listener, and not of any host that a request names: only then the text is compressed
   */
  async send(
    request: FastifyRequest,
    reply: FastifyReply,
    addresses: Addresses,
    isOwn: boolean,
  ): Promise<FastifyReply> {
    const template = await this.#template(addresses, spokenBy(request));
    const tag = tagOf(template, addresses);
    reply.headers({
      etag: tag,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
    if (request.headers['if-none-match'] === tag) return reply.code(304).send();
    const pieces = filled(template, addresses);
    const zipping =
      isOwn && takesGzip(request.headers['accept-encoding']) ? zippedOf(template, tag, pieces) : undefined;
    if (zipping === undefined) return sendPieces(request, reply, pieces);
    return sendPieces(request, reply.header('content-encoding', 'gzip'), [await zipping]);
  }

  /** The text with marks, by what the addresses are in it: as few as there are forms of addresses, and configured ones. */
  #template(addresses: Addresses, spoken: Spoken | undefined): Awaitable<Template> {
    const marked = marksOf(addresses);
    const key = JSON.stringify(marked);
    const templates = this.#templates.get(spoken?.dialect) ?? new Map<string, Awaitable<Template>>();
    this.#templates.set(spoken?.dialect, templates);
    const known = templates.get(key);
    if (known !== undefined) return known;
    const text = this.#render(marked, spoken);
    // A text that is made in turns may have used up the last of them.
    const made = text instanceof Promise ? text.then((whole) => nextTurn(whole)).then(templateOf) : templateOf(text);
    templates.set(key, made);
    // The next request tries again.
    if (made instanceof Promise) made.catch(() => templates.delete(key));
    return made;
  }
}

function templateOf(text: string): Template {
  // Texts and names in turn.
  const pieces = text.split(MARK).filter((piece) => piece !== undefined);
  return {
    texts: pieces.filter((_, i) => i % 2 === 0).map((piece) => Buffer.from(piece)),
    names: pieces.filter((_, i) => i % 2 === 1),
    hash: createHash('sha256').update(text).digest('base64url'),
  };
}

/** The marks of addresses. One that is neither a name nor a number stands for itself: it was configured, and does not change. */
function marksOf({ own, listeners }: Addresses): Addresses {
  return {
    own: markOf('own', own),
    ...(listeners && {
      listeners: {
        api: markOf('api', listeners.api),
        ads: markOf('ads', listeners.ads),
        sandbox: markOf('sandbox', listeners.sandbox),
      },
    }),
  };
}

function markOf(name: string, url: string): string {
  if (NAMED.test(url)) return `http://${name}.address.invalid`;
  return NUMBERED.test(url) ? `http://[${name}.address.invalid]` : url;
}

function tagOf({ hash }: Template, { own, listeners }: Addresses): string {
  const key = JSON.stringify([own, listeners]);
  const whole = createHash('sha256').update(hash).update(key).digest('base64url');
  return `W/"${whole.slice(0, 22)}"`;
}

/** The text with addresses, in pieces: all but the addresses are those of the template. */
function filled({ texts, names }: Template, { own, listeners }: Addresses): Buffer[] {
  const urls = new Map(Object.entries({ own, ...listeners }).map(([name, url]) => [name, Buffer.from(url)]));
  return texts.flatMap((text, i) => {
    const url = urls.get(names[i] ?? '');
    return url === undefined ? [text] : [text, url];
  });
}

/** The text, compressed; `undefined` while it is being compressed for another address, since that takes a copy and much time. */
function zippedOf(template: Template, tag: string, pieces: readonly Buffer[]): Promise<Buffer> | undefined {
  if (template.zipped?.tag === tag) return template.zipped.bytes;
  if (template.zipped?.isMade === false) return undefined;
  const zipped: Zipped = {
    tag,
    bytes: zip(Buffer.concat(pieces)).finally(() => {
      zipped.isMade = true;
    }),
    isMade: false,
  };
  template.zipped = zipped;
  return zipped.bytes;
}

/** Sends pieces as far as the client reads them. */
function sendPieces(request: FastifyRequest, reply: FastifyReply, pieces: readonly Buffer[]): FastifyReply {
  reply.header(
    'content-length',
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  if (request.method === 'HEAD') return reply.send();
  return reply.send(Readable.from(slicesOf(pieces), { objectMode: false, highWaterMark: SLICE_BYTES }));
}

function* slicesOf(pieces: readonly Buffer[]): Generator<Buffer> {
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += SLICE_BYTES) yield piece.subarray(at, at + SLICE_BYTES);
  }
}

function takesGzip(accepted: string | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted ?? '');
}

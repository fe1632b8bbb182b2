/**
 * Texts that contain addresses of the server: pages of the reference, and documents. Without a configured address the caller names the
 * host, and could name another one each time. So a text is rendered once, with marks in place of the addresses, and filled for
 * each host.
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Dialect } from '@broadside/core/dialect';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Awaitable, chain } from '../../awaitable.ts';
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
  /** Text and names of addresses in turn. */
  readonly pieces: readonly string[];
  readonly hash: string;
  latest?: Copy;
}

interface Copy {
  readonly key: string;
  readonly text: string;
  readonly tag: string;
  zipped?: Promise<Buffer>;
}

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

  /** Answers a request. */
  async send(request: FastifyRequest, reply: FastifyReply, addresses: Addresses): Promise<FastifyReply> {
    const copy = copyOf(await this.#template(addresses, spokenBy(request)), addresses);
    reply.headers({
      etag: copy.tag,
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'x-content-type-options': 'nosniff',
    });
    if (request.headers['if-none-match'] === copy.tag) return reply.code(304).send();
    if (!takesGzip(request.headers['accept-encoding'])) return reply.send(copy.text);
    copy.zipped ??= zip(copy.text);
    return reply.header('content-encoding', 'gzip').send(await copy.zipped);
  }

  /** The text with marks, by what the addresses are in it: as few as there are forms of addresses, and configured ones. */
  #template(addresses: Addresses, spoken: Spoken | undefined): Awaitable<Template> {
    const marked = marksOf(addresses);
    const key = JSON.stringify(marked);
    const templates = this.#templates.get(spoken?.dialect) ?? new Map<string, Awaitable<Template>>();
    this.#templates.set(spoken?.dialect, templates);
    const known = templates.get(key);
    if (known !== undefined) return known;
    const made = chain(this.#render(marked, spoken), templateOf);
    templates.set(key, made);
    // The next request tries again.
    if (made instanceof Promise) made.catch(() => templates.delete(key));
    return made;
  }
}

function templateOf(text: string): Template {
  const pieces = text.split(MARK).filter((piece) => piece !== undefined);
  return { pieces, hash: createHash('sha256').update(text).digest('base64url') };
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

function copyOf(template: Template, { own, listeners }: Addresses): Copy {
  const key = JSON.stringify([own, listeners]);
  if (template.latest?.key !== key) {
    const urls: Readonly<Record<string, string>> = { own, ...listeners };
    const text = template.pieces.map((piece, i) => (i % 2 === 0 ? piece : (urls[piece] ?? ''))).join('');
    const hash = createHash('sha256').update(template.hash).update(key).digest('base64url');
    template.latest = { key, text, tag: `W/"${hash.slice(0, 22)}"` };
  }
  return template.latest;
}

function takesGzip(accepted: string | undefined): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(accepted ?? '');
}

/** A site that shows samples of posts as the server sends them: the same markup, style and policy, with media of its own. */
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { postHeaders } from '../../../apps/server/src/adapters/pages/policy.ts';
import { postPage, previewPage, timelinePage } from '../../../apps/server/src/adapters/pages/post/post-pages.ts';
import { postSamples, profileSample } from '../../../apps/server/src/adapters/pages/testing/post-samples.ts';
import type { PostView } from '../../../apps/server/src/post-view/post-view.ts';
import { scenes } from './scenes.ts';

const clip = fileURLToPath(new URL('../../../apps/server/clips/boat-176.mp4', import.meta.url));

/** Samples of posts in a site of their own. */
export class Gallery {
  readonly #server: Server;
  readonly #views = new Map<string, PostView>(Object.entries(postSamples));

  private constructor() {
    this.#server = createServer((request, response) => this.#answer(request.url ?? '/', response));
  }

  static async open(): Promise<Gallery> {
    const gallery = new Gallery();
    await new Promise<void>((resolve) => gallery.#server.listen(0, '127.0.0.1', resolve));
    return gallery;
  }

  close(): void {
    this.#server.close();
  }

  /** The names of the samples. */
  get names(): string[] {
    return [...this.#views.keys()];
  }

  /** Adds a post under a name of its own. */
  add(name: string, view: PostView): void {
    this.#views.set(name, view);
  }

  /** The address of a sample: on its page, alone as in a frame, or `timeline` with some of them. */
  at(kind: 'post' | 'preview' | 'timeline', name = ''): string {
    const address = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return `http://127.0.0.1:${port}/${kind}/${encodeURIComponent(name)}`;
  }

  #answer(url: string, response: ServerResponse): void {
    const [, kind, name = ''] = url.split('/').map(decodeURIComponent);
    const page = this.#page(kind, name);
    if (kind === 'media') this.#media(name, response);
    else if (page === undefined) response.writeHead(404).end();
    else response.writeHead(200, postHeaders(kind === 'preview' ? '*' : [])).end(page);
  }

  #page(kind: string | undefined, name: string): string | undefined {
    const signed_in = { screen_name: 'mara_keane', csrf: 'c5rf' };
    if (kind === 'timeline') {
      const posts = [...this.#views.values()].slice(0, 8);
      return timelinePage({ person: profileSample, posts, newer: '2', older: '1' }, signed_in);
    }
    const view = this.#views.get(name);
    return view && (kind === 'post' ? postPage(view, signed_in) : previewPage(view));
  }

  /** @param name of a picture with its size, as in `pier.900x900`; or of the clip */
  #media(name: string, response: ServerResponse): void {
    const [, picture = '', width = '', height = ''] = /^(\w+)\.(\d+)x(\d+)/.exec(name) ?? [];
    const draw = scenes[picture];
    if (name === 'boat') response.writeHead(200, { 'content-type': 'video/mp4' }).end(readFileSync(clip));
    else if (!draw) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(draw(Number(width), Number(height)));
  }
}

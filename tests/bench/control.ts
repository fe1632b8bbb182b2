/** Requests to the control of worlds of a server that a bench has started. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Credentials } from '@broadside/server';

/** A world that was made. */
export interface MadeWorld {
  readonly id: string;
  readonly credentials: Credentials;
}

export class Control {
  readonly #url: string;
  readonly #token: string;

  /** @param directory the data directory of a server that is ready */
  constructor(directory: string) {
    const server: { control_url: string } = JSON.parse(readFileSync(path.join(directory, 'server.json'), 'utf8'));
    this.#url = server.control_url;
    this.#token = readFileSync(path.join(directory, 'operator.token'), 'utf8').trim();
  }

  /** Sends a request and gives `data` of the answer. @throws Error when it is not 200 */
  async call<Data>(method: string, target: string, body?: object): Promise<Data> {
    const response = await fetch(`${this.#url}${target}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${method} ${target} answered ${response.status}: ${text}`);
    const { data }: { data: Data } = JSON.parse(text);
    return data;
  }

  /** Reads a world, with its present addresses. */
  get(id: string): Promise<MadeWorld> {
    return this.call('GET', `/worlds/${id}`);
  }

  /** Makes a world. */
  create(body: object): Promise<MadeWorld> {
    return this.call('POST', '/worlds', body);
  }

  /** Forks a world. */
  fork(id: string, body: object = {}): Promise<MadeWorld> {
    return this.call('POST', `/worlds/${id}/fork`, body);
  }

  async delete(id: string): Promise<void> {
    await this.call('DELETE', `/worlds/${id}`);
  }
}

/** Reading one entity in a dialect, by the processor time of the direct route. */
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { costRatio } from '@broadside/cost-ratio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadDialects } from '../../../apps/server/src/dialects/dialects.ts';
import { DialectWorld } from '../../../apps/server/src/dialects/testing/dialect-world.ts';
import { about } from '../support/scenario.ts';

const REQUESTS = 300;
/** 15 percent. Reading a file again for each request, or writing an answer twice, is several times that. */
const LIMIT = 1.15;

let stage: DialectWorld;

beforeAll(async () => {
  stage = await DialectWorld.open(await loadDialects({ load: ['twitter'], own: {} }), 'off');
});
afterAll(async () => {
  await stage[Symbol.asyncDispose]();
});

test(about('D-COST'), async () => {
  const { world } = stage;
  const account = world.credentials.sandbox_account_id;
  const { json } = await stage.call('sandbox', `http://127.0.0.1:8002/12/accounts/${account}/promoted_posts`);
  const { id } = json.data[0];
  const own = reader('http://127.0.0.1:8002', `/12/accounts/${account}/promoted_posts/${id}`);
  const other = reader('https://ads-api-sandbox.twitter.com', `/11/accounts/${account}/promoted_tweets/${id}`);
  for (const read of [own, other]) {
    for (let round = 0; round < 4; round++) await read.prepare();
    await read.run();
  }
  expect(own.last()).toContain('"post_id"');
  expect(other.last()).toContain('"tweet_id"');
  expect(await costRatio(other.run, own.run, LIMIT)).toBeLessThan(LIMIT);
});

/** Reads a path many times, with requests that are signed before. */
function reader(base: string, path: string) {
  const { world } = stage;
  const { server } = world.apps.sandbox;
  const signed: string[] = [];
  let last = '';
  const prepare = async () => {
    for (let i = 0; i < REQUESTS; i++) signed.push(await world.sign('GET', base + path));
  };
  const read = (authorization: string) =>
    new Promise<void>((resolve) => {
      const request = new IncomingMessage(new Socket());
      request.method = 'GET';
      request.url = path;
      request.headers = { host: new URL(base).host, authorization };
      const response = new Answered(request, (body) => {
        last = body;
        resolve();
      });
      server.emit('request', request, response);
    });
  const run = async () => {
    if (signed.length < REQUESTS) await prepare();
    const batch = signed.splice(0, REQUESTS);
    await Promise.all(batch.map(read));
  };
  return { prepare, run, last: () => last };
}

/** A response that goes nowhere. */
class Answered extends ServerResponse {
  readonly #done: (body: string) => void;

  constructor(request: IncomingMessage, done: (body: string) => void) {
    super(request);
    this.#done = done;
  }

  override end(body?: unknown): this {
    expect(this.statusCode).toBe(200);
    this.#done(String(body));
    return this;
  }
}

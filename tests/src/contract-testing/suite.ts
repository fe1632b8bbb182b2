/**
 * An OpenAPI document and the live server, held against each other by a contract tester that is not ours. What is tried is
 * read off the document: each operation with each of its responses. Parts of a document have files of their own, so that they
 * run side by side.
 */
import { rateBuckets, stringifyJson } from '@broadside/core';
import type { ListenerName } from '@broadside/server';
import type { TestRequest, WireRequest } from '@broadside/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { Provider } from '../oauth/attacks/provider.ts';
import { ContractTester, exchange, type WireAnswer } from './contract-tester.ts';
import {
  altered,
  type Described,
  type Json,
  operationsOf,
  type Shard,
  shardOf,
  withAnswers,
  withContents,
} from './document.ts';
import { Live } from './live.ts';
import { malformed, spoilt } from './rejections.ts';
import { Requests } from './requests.ts';

/** An exchange that was judged. */
interface Judged {
  readonly id: string;
  readonly request: WireRequest;
  readonly answer: WireAnswer;
}

/**
 * The controls have one in so many operations, with all of its answers: the tester reads each document and compiles its schemas anew, which
 * is most of its work. No multiple of five, which most families have: it would leave out the same operations of each.
 */
const STRIDE = process.env['BROADSIDE_TEST_LONG'] === undefined ? 4 : 1;

/** Headers of HTTP itself, and security headers for browsers. */
const USUAL =
  /^(?:connection|keep-alive|date|content-(?:length|type|security-policy)|transfer-encoding|cache-control|vary|referrer-policy|set-cookie|x-(?:content-type|frame)-options)$/;

/** Returns the headers of a response that the document does not name. */
function unnamedHeaders({ answers }: Described, { status, headers }: WireAnswer): string[] {
  return Object.keys(headers).filter((name) => !USUAL.test(name) && !answers.get(status)?.includes(name));
}

/** Defines the tests of a listener, or of a shard of its operations. */
export async function contractTests(listener: ListenerName, shard: Shard = { index: 0, count: 1 }): Promise<void> {
  const provider = await Provider.open({ mode: 'development' });
  const { world } = provider;
  const limits = (limit: number) =>
    Object.fromEntries(Object.keys(rateBuckets).map((name) => [name, { limit, window_ms: 900_000 }]));
  const live = await Live.open(world, limits(1_000_000));
  const scarce = await Live.open(world, limits(1));
  const requests = new Requests(provider);
  const document = shardOf(await live.document(listener), shard);
  const operations = operationsOf(document);
  const tester = await ContractTester.of(document);
  const caller = await requests.caller({ sign_in_enabled: true });
  // Nothing that the operations of the advertising interface do changes an app or a token, so these serve all of them. The
  // endpoints of authentication use up what a request is made with.
  const shared =
    listener === 'api' ? undefined : { suspended: await requests.caller(), hasty: await requests.caller() };
  if (shared) await provider.change(shared.suspended.app, { suspended: true });
  const judged: Judged[] = [];

  afterAll(async () => {
    await Promise.all([live, scarce].map((one) => one[Symbol.asyncDispose]()));
    await provider[Symbol.asyncDispose]();
  });

  /** Sends a request and expects that the document describes the response. @returns the response */
  async function send(
    through: Live,
    described: Described,
    request: TestRequest,
    { isValid = false, change = (wire: WireRequest) => wire } = {},
  ): Promise<{ readonly answer: WireAnswer; readonly violations: readonly string[] }> {
    const wire = change(await through.sign(request));
    const answer = await exchange(wire);
    const { violations, differences } = await tester.judge(wire, answer);
    const said = `${wire.method} ${wire.url} ${String(wire.body).slice(0, 500)}: ${answer.status} ${answer.text.slice(0, 500)}`;
    expect.soft([...differences, ...unnamedHeaders(described, answer)], said).toEqual([]);
    if (isValid) {
      expect.soft(violations, said).toEqual([]);
      expect.soft(answer.status, said).toBeLessThan(400);
    }
    judged.push({ id: described.id, request: wire, answer });
    return { answer, violations };
  }

  describe.for(operations.map((described) => [described.id, described] as const))('%s', ([, described]) => {
    test('answers with all that the document foresees, and nothing else', async () => {
      const seen = new Set<number>();
      const record = async (through: Live, request: TestRequest, options?: Parameters<typeof send>[3]) =>
        seen.add((await send(through, described, request, options)).answer.status);
      const one = shared ? caller : await requests.caller({ sign_in_enabled: true });
      for await (const request of requests.successes(listener, described, one)) {
        await record(live, request, { isValid: true });
      }
      const request = await requests.success(listener, described, shared ? caller : await requests.caller());
      for (const spoiled of spoilt(request, described)) await record(live, spoiled);
      await record(live, request, { change: ({ url, ...wire }) => ({ ...wire, url: withParameter(url) }) });
      if (shared) {
        await record(live, requests.by(shared.suspended, request));
        await record(scarce, requests.by(shared.hasty, request));
        await record(scarce, requests.by(shared.hasty, request));
      }
      await requests.deleteAccount(listener, request);
      await record(live, request);
      if (!shared) {
        const suspended = await requests.caller();
        const rejected = await requests.success(listener, described, suspended);
        await provider.change(suspended.app, { suspended: true });
        await record(live, rejected);
        const hasty = await requests.caller();
        await record(scarce, await requests.success(listener, described, hasty));
        await record(scarce, await requests.success(listener, described, hasty));
      }
      // Failures of the server itself, late requests and accounts that are being moved are not in the power of one: tests of full disks, slow
      // clients and shards have them.
      const own = [...described.answers.keys()].filter((status) => status < 500 && status !== 408 && status !== 423);
      expect([...seen].sort()).toEqual(own.sort());
    });

    test('rejects what the document calls malformed', async () => {
      const request = await requests.success(listener, described, shared ? caller : await requests.caller());
      for (const field of described.fields) {
        for (const one of malformed(request, field)) {
          const { answer, violations } = await send(live, described, one);
          expect.soft(violations, `${field.name} ${stringifyJson(one)}`).not.toEqual([]);
          expect.soft(answer.status, `${field.name} ${stringifyJson(one)}`).toBeGreaterThanOrEqual(400);
        }
      }
    });
  });

  test('fails as the document says', async () => {
    const broken = await Provider.open({ mode: 'development' });
    await using failing = await Live.open(broken.world, {});
    const onBroken = new Requests(broken);
    const own = await onBroken.caller();
    const all: (readonly [Described, TestRequest])[] = [];
    for (const described of operations) {
      all.push([described, await onBroken.success(listener, described, own)]);
    }
    await broken.world.platform.close();
    for (const [described, request] of all) {
      const { answer } = await send(failing, described, request);
      expect.soft(answer.status, `${described.id} ${answer.text}`).toBe(500);
    }
  });

  describe('the tester', () => {
    const controls: readonly Control[] = [
      {
        title: 'a body that is another',
        change: (of) =>
          withContents(of, (content) => {
            content['schema'] = { allOf: [content['schema']], not: {} };
          }),
        sees: ({ answer }) => answer.text !== '',
      },
      {
        title: 'a member that is not named',
        change: (of) =>
          altered(of, ['components', 'schemas', '*'], (schema) => {
            schema['properties'] = {};
          }),
        // A success can be an empty list.
        sees: ({ answer }) => answer.status >= 400 && /json/.test(answer.headers['content-type'] ?? ''),
      },
      {
        title: 'a body of another type',
        change: (of) =>
          withAnswers(of, (answer) => {
            if (answer['content']) answer['content'] = { 'text/unheard-of': {} };
          }),
        sees: ({ answer }) => answer.text !== '',
      },
      {
        title: 'a status that is not foreseen',
        change: (of) =>
          altered(of, ['paths', '*', '*'], (operation) => {
            operation['responses'] = { 299: { description: '' } };
          }),
        sees: () => true,
      },
      {
        title: 'a header that is missing',
        change: (of) =>
          withAnswers(of, (answer) => {
            answer['headers'] = { 'x-never-sent': { schema: {} } };
            answer['content'] = {};
          }),
        sees: () => true,
      },
    ];

    const few = shardOf(document, { index: 0, count: STRIDE });
    const tried = new Set(operationsOf(few).map(({ id }) => id));

    test.for(controls)('finds $title, with answers of each kind', async ({ change, sees }) => {
      const control = await ContractTester.of(change(few));
      const each = new Map(judged.map((one) => [`${one.id} ${one.answer.status}`, one]));
      const answers = [...each.values()].filter((one) => tried.has(one.id) && sees(one));
      expect(answers.length).toBeGreaterThan(tried.size);
      for (const { id, request, answer } of answers) {
        const { differences } = await control.judge(request, answer);
        expect.soft(differences, `${id} ${answer.status}`).not.toEqual([]);
      }
    });

    test('finds a request that lacks what the document asks for', async () => {
      const control = await ContractTester.of(
        altered(document, ['paths', '*', '*'], (operation) => {
          const { parameters } = operation;
          const asked = { name: 'never_sent', in: 'query', required: true, schema: {} };
          operation['parameters'] = [...(Array.isArray(parameters) ? parameters : []), asked];
        }),
      );
      for (const { id, request, answer } of new Map(judged.map((one) => [one.id, one])).values()) {
        const { violations } = await control.judge(request, answer);
        expect.soft(violations, id).not.toEqual([]);
      }
    });
  });
}

/** An alteration of the document that the tester must notice. */
interface Control {
  readonly title: string;
  readonly change: (document: Json) => Json;
  /** Returns whether the tester must report something about an exchange. */
  readonly sees: (judged: Judged) => boolean;
}

/** An address with a parameter that was not signed. */
function withParameter(url: string): string {
  return `${url}${url.includes('?') ? '&' : '?'}added=x`;
}

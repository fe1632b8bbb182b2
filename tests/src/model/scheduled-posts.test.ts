/**
 * Scheduled posts against a plain model: after any sequence of schedules, moves, changes and deletions, on any adapter, with the
 * clock jumping forwards and backwards and the server restarting in between, each post was published once or not at all.
 */
import type { TestWorld } from '@broadside/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishedPosts } from '../scenarios/scheduled-posts/setting.ts';
import { type AdapterName, adapterNames, adapters, type Outcome } from '../support/adapters.ts';
import { newText } from '../support/drafting.ts';
import { about, Stage } from '../support/scenario.ts';
import { openWorld } from '../support/world.ts';
import { type ModelPost, minuteFrom, ScheduledModel } from './scheduled-model.ts';

let world: TestWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.failures).toEqual([]);
  await world.close();
});

const MINUTE_MS = 60_000;
const timestamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The account on the server, by every adapter. */
interface Real {
  readonly on: (adapter: AdapterName) => Stage;
}

type Command = fc.AsyncCommand<ScheduledModel, Real>;

/** A command with a description of its own; afterwards the server must show what the model holds. */
function command(described: string, run: (model: ScheduledModel, real: Real) => Promise<void>): Command {
  return {
    check: () => true,
    async run(model, real) {
      await run(model, real);
      await agree(model, real);
    },
    toString: () => described,
  };
}

async function agree(model: ScheduledModel, real: Real): Promise<void> {
  const shown = await real.on('rest').many('scheduled_posts.list', { count: 200 });
  const byId = (posts: readonly { readonly id: string }[]) => posts.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const posts = publishedPosts(world, [...texts]);
  const expected = model.posts.map(({ id, text, name, time, scheduled_status }) => ({
    id,
    text,
    name,
    scheduled_at: timestamp(time),
    scheduled_status,
    post_id: scheduled_status === 'SUCCESS' ? posts.find((post) => post.text === text)?.id : null,
  }));
  expect(byId(shown)).toMatchObject(byId(expected));
  expect(posts.map(({ text }) => text).toSorted()).toEqual(model.published.toSorted());
}

/** All texts that scheduled posts have had in this run. */
const texts = new Set<string>();

function text(): string {
  const made = newText();
  texts.add(made);
  return made;
}

function rejected(outcome: Outcome, parameter: string): void {
  expect(outcome.errors).toMatchObject([{ code: 'INVALID_PARAMETER', parameter }]);
}

function idOf({ data, errors }: Outcome): string {
  expect(errors).toEqual([]);
  if (typeof data === 'object' && data !== null && 'id' in data && typeof data.id === 'string') return data.id;
  throw new TypeError('the answer holds no entity');
}

const create = (adapter: AdapterName, minutes: number) =>
  command(`schedule in ${minutes} minutes (${adapter})`, async (model, real) => {
    const time = minuteFrom(model.now, minutes);
    const post: Omit<ModelPost, 'id'> = { text: text(), name: null, time, scheduled_status: 'SCHEDULED' };
    const stage = real.on(adapter);
    const params = { as_user_id: stage.user.user_id, text: post.text, scheduled_at: timestamp(time) };
    const outcome = await stage.call('scheduled_posts.create', params);
    if (!model.takes(time)) return rejected(outcome, 'scheduled_at');
    model.posts.push({ id: idOf(outcome), ...post });
  });

const move = (adapter: AdapterName, place: number, minutes: number, isBlank: boolean) =>
  command(
    `move ${place} to ${minutes} minutes${isBlank ? ' without a text' : ''} (${adapter})`,
    async (model, real) => {
      const post = model.postAt(place);
      if (!post) return;
      const time = minuteFrom(model.now, minutes);
      const params = { scheduled_post_id: post.id, scheduled_at: timestamp(time), ...(isBlank ? { text: null } : {}) };
      const outcome = await real.on(adapter).call('scheduled_posts.update', params);
      if (!model.isEditable(post)) return rejected(outcome, 'scheduled_post_id');
      if (isBlank) return expect(outcome.errors).toMatchObject([{ code: 'POST_CANNOT_BE_BLANK' }]);
      if (time !== post.time && !model.takes(time)) return rejected(outcome, 'scheduled_at');
      idOf(outcome);
      post.time = time;
    },
  );

const edit = (adapter: AdapterName, place: number, name: string) =>
  command(`change ${place} (${adapter})`, async (model, real) => {
    const post = model.postAt(place);
    if (!post) return;
    const changes = { text: text(), name };
    const outcome = await real.on(adapter).call('scheduled_posts.update', { scheduled_post_id: post.id, ...changes });
    if (!model.isEditable(post)) return rejected(outcome, 'scheduled_post_id');
    idOf(outcome);
    Object.assign(post, changes);
  });

const remove = (adapter: AdapterName, place: number) =>
  command(`delete ${place} (${adapter})`, async (model, real) => {
    const post = model.postAt(place);
    if (!post) return;
    idOf(await real.on(adapter).call('scheduled_posts.delete', { scheduled_post_id: post.id }));
    model.posts = model.posts.filter((other) => other !== post);
  });

const jump = (seconds: number) =>
  command(`jump by ${seconds} seconds`, async (model) => {
    world.clock.advance(seconds * 1000);
    model.now += seconds * 1000;
  });

const run = () =>
  command('run what is due', async (model) => {
    await world.runJobs();
    model.run();
  });

const restart = () => command('restart', () => world.reopen());

const adapterArb = fc.constantFrom(...adapterNames);
const place = fc.nat(20);
const minutes = fc.integer({ min: -3, max: 90 });
const runs = fc.constant(null).map(run);

test(about('B-SCHEDULED-ONCE'), async () => {
  const commands = fc.commands(
    [
      fc.tuple(adapterArb, minutes).map((given) => create(...given)),
      fc.tuple(adapterArb, minutes).map((given) => create(...given)),
      fc.tuple(adapterArb, place, minutes, fc.boolean()).map((given) => move(...given)),
      fc
        .tuple(adapterArb, place, fc.string({ minLength: 1, maxLength: 10, unit: 'grapheme-ascii' }))
        .map((given) => edit(...given)),
      fc.tuple(adapterArb, place).map((given) => remove(...given)),
      fc.integer({ min: -45 * 60, max: 60 * 60 }).map(jump),
      runs,
      runs,
      fc.constant(null).map(restart),
    ],
    { maxCommands: 28, size: 'max' },
  );
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      texts.clear();
      const account_id = await world.createAccount('sandbox');
      const stages = new Map(
        adapterNames.map((name) => [
          name,
          new Stage(world, adapters[name], { account_id, funding_instrument_id: '', user: world.user }),
        ]),
      );
      const on = (name: AdapterName) => {
        const stage = stages.get(name);
        if (!stage) throw new TypeError(name);
        return stage;
      };
      const model = new ScheduledModel(world.clock.now());
      await fc.asyncModelRun(() => ({ model, real: { on } }), sequence);
      // In the end the time of everything comes.
      world.clock.advance(120 * MINUTE_MS);
      model.now += 120 * MINUTE_MS;
      await world.runJobs();
      model.run();
      await agree(model, { on });
    }),
    { numRuns: 12, endOnFailure: true },
  );
});

/**
 * Getting, listing and creating in each resource family of the sandbox, against a bare server that reads and writes the same tables;
 * and the lookups, which have no rows to read, alone.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { families, World } from '@broadside/server';
import { encodePng } from '../../apps/server/src/media/testing/images.ts';
import type { BenchRow } from './bench-row.ts';
import { bodyOf, load, once } from './load.ts';
import { startedOnce } from './prepared.ts';
import { type Processes, stop } from './processes.ts';
import { FEW_ROUNDS, measureRounds, mostRounds, type Subject } from './rounds.ts';
import { inDirectory, type Run, short } from './run.ts';
import { type Credentials, type Request, wire } from './wire.ts';

/** Makes a world with a page of each kind and measures it. */
export function measureFamilies(run: Run): Promise<readonly BenchRow[]> {
  return inDirectory(run, (directory, processes) => measure(run, directory, processes));
}

/** Number of custom audiences, all of which are listed at once, in pages of the others. */
const PAGES_OF_AUDIENCES = 5;
/** Number of drafts, and of scheduled posts. */
const POSTS_TO_COME = 50;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Records created at the same moment share a commit, so that seeding is faster. */
const CONNECTIONS_TO_FILL = 16;
const SERVER = { user_id: null, platform: 'SERVER' } as const;

type Fields = Readonly<Record<string, string>>;

/** An operation that is measured. */
interface Operation {
  readonly name: string;
  readonly request: (i: number) => Request;
  /** Compared with the bare server, by the least ratio that is good enough. */
  readonly aim?: number | null;
  readonly writes: boolean;
}

async function measure(run: Run, directory: string, processes: Processes): Promise<BenchRow[]> {
  const { seconds, connections } = run.effort;
  const effort = { ...run.effort, seconds: seconds / 2 };
  // What each of them needs is made before, so there are fewer of them.
  const writing = { ...effort, rounds: Math.min(effort.rounds, FEW_ROUNDS) };
  const creations = Math.max(40, Math.min(200, Math.ceil(seconds * 50)));
  const { page } = run.amounts;
  const sandbox = await createFixtures(directory, run);
  const { child } = await processes.startServer(run.server, directory);
  const held = reached(directory);
  const port = Number(new URL(held.ads_base_url).port);
  const warmup = Math.max(connections, Math.ceil(creations / 4));
  // The parents of each creation exist before it is measured.
  const supply = page + warmup + creations * mostRounds(writing);
  const operations = await prepare(held, port, sandbox, { page, supply });
  const bare = await processes.startBare('bare-families-server.ts', [
    path.join(directory, 'ads-sandbox.db'),
    held.account_id,
    path.join(directory, 'platform.db'),
    held.base_url,
  ]);
  const rows: BenchRow[] = [];
  for (const operation of operations) {
    const { name, aim, writes, request } = operation;
    if (aim !== undefined && !writes) await compare(held, operation, port, bare.port);
    // Each creation is of something new here; the bare server makes that up itself.
    let serial = 0;
    const requests: Subject['requests'] = (count, side) => {
      const first = page + (side === 'ours' ? serial : 0);
      if (side === 'ours') serial += count;
      return Promise.all(times(count, (i) => wire(held, request(writes ? first + i : 0))));
    };
    const subject: Subject = { name, warmup, requests, ...(writes ? { most: creations } : {}) };
    const ours = { child, port };
    rows.push(
      aim === undefined
        ? await measureRounds(subject, { ours }, short(run))
        : await measureRounds(
            { ...subject, ...(aim === null ? {} : { aim }) },
            { ours, other: bare },
            writes ? writing : effort,
          ),
    );
  }
  // Ended in its own way, it writes its profile.
  await stop(child);
  return rows;
}

/** State that no operation of the interface can set. */
interface Fixtures {
  readonly post_ids: readonly string[];
  readonly account_media_ids: readonly string[];
  /** An audience that line items can target. */
  readonly custom_audience_id: string;
  /** An image of the library that cards can show. */
  readonly media_key: string;
}

/** Makes the demo, and in its sandbox account what only an operator can make. */
async function createFixtures(directory: string, { server, amounts }: Run): Promise<Fixtures> {
  const { page } = amounts;
  await startedOnce(directory, server);
  const { account_id, user_id } = reached(directory);
  const world = await World.open({ dataDirectory: directory });
  try {
    const post_ids: string[] = [];
    for (let i = 0; i < page; i++) {
      post_ids.push(
        await world.posts.create(SERVER, { author_id: user_id, text: `Post ${i}`, source: 'Bench', lang: 'en' }),
      );
    }
    await world.ads.sandbox.account(account_id).write(SERVER, async (writer) => {
      const { customAudience } = families.custom_audiences;
      for (let i = 0; i < PAGES_OF_AUDIENCES * page; i++) {
        const fields = { name: `Audience ${i}`, description: `Made for ${i}`, segments: null } as const;
        const row = await writer
          .of(customAudience)
          .insert({ ...fields, audience_type: 'CRM', partner_source: 'OTHER' });
        await writer.of(customAudience).derive(row.id, { processing: false, matched_count: i * 7 });
      }
    });
    const account_media_ids = await world.ads.sandbox.account(account_id).write(SERVER, async (writer) => {
      const ids: string[] = [];
      for (let i = 0; i < page; i++) {
        const media = { media_key: `3_${1000 + i}`, creative_type: 'BANNER' } as const;
        ids.push((await writer.of(families.account_media.accountMedia).insert(media)).id);
        await writer.of(families.account_apps.accountApp).insert({
          app_store_identifier: `com.example.app${i}`,
          conversion_tracking_enabled: false,
          deep_link_pattern: null,
          os_type: 'Android',
        });
        // The FULL one makes a page of them.
        if (i > 0) {
          const lent = { user_id: `${5000 + i}`, promotable_user_type: 'REPOSTS_ONLY' } as const;
          await writer.of(families.promotable_users.promotableUser).insert(lent);
        }
      }
      return ids;
    });
    const custom_audience_id = await world.ads.sandbox.account(account_id).write(SERVER, async (writer) => {
      const audiences = writer.of(families.custom_audiences.customAudience);
      const [first] = await audiences.every({});
      if (!first) throw new Error('there are no audiences');
      await audiences.derive(first.id, { processing: false, matched_count: 1000 });
      return first.id;
    });
    const image = {
      owner_user_id: user_id,
      additional_owners: [],
      category: 'post_image',
      declared: undefined,
    } as const;
    const { media_key } = await world.media.create(image, await world.media.receive(encodePng(800, 418)));
    const adding = { account: world.ads.sandbox.account(account_id), world, actor: SERVER, user_id };
    await families.media_library.addToLibrary(rejectWithAny, adding, [media_key]);
    return { post_ids, account_media_ids, custom_audience_id, media_key };
  } finally {
    await world.close();
  }
}

/** The caller in the sandbox. */
function reached(directory: string): Credentials & { readonly user_id: string } {
  const held: Credentials & { user_id: string; ads_sandbox_base_url: string; sandbox_account_id: string } = JSON.parse(
    readFileSync(path.join(directory, 'credentials.json'), 'utf8'),
  );
  return { ...held, ads_base_url: held.ads_sandbox_base_url, account_id: held.sandbox_account_id };
}

const flight = { start_time: '2026-01-01T00:00:00Z', end_time: '2040-01-01T00:00:00Z' };
const kinds = {
  posts: { objective: 'ENGAGEMENTS', product_type: 'PROMOTED_POSTS' },
  account: { objective: 'FOLLOWERS', product_type: 'PROMOTED_ACCOUNT' },
  images: { objective: 'WEBSITE_CLICKS', product_type: 'MEDIA' },
  video: { objective: 'PREROLL_VIEWS', product_type: 'MEDIA', categories: 'IAB2' },
} as const;

/** Fills the sandbox account. @param sizes.supply how many records of a kind can be created, those of the page among them */
async function prepare(
  held: ReturnType<typeof reached>,
  port: number,
  { post_ids, account_media_ids, custom_audience_id, media_key }: Fixtures,
  { page, supply }: { readonly page: number; readonly supply: number },
): Promise<readonly Operation[]> {
  const { account_id, user_id } = held;
  const account = `/12/accounts/${account_id}`;
  const send = async (request: Request): Promise<readonly { id: string }[]> => {
    const answer = await once(port, await wire(held, request));
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`${request.target}: ${answer.slice(0, 800)}`);
    const { data }: { data: { id: string } | { id: string }[] } = JSON.parse(bodyOf(answer));
    return Array.isArray(data) ? data : [data];
  };
  const post = (name: string, form: Fields): Request => ({ method: 'POST', target: `${account}/${name}`, form });
  const batch = (name: string, params: readonly object[]) =>
    send({
      method: 'POST',
      target: `/12/batch/accounts/${account_id}/${name}`,
      json: JSON.stringify(params.map((one) => ({ operation_type: 'Create', params: one }))),
    });
  const instrument = { type: 'PARTNER_MANAGED', currency: 'USD', start_time: flight.start_time };
  const [{ id: funding_instrument_id } = { id: '' }] = await send(post('funding_instruments', instrument));
  // Drafts do not count towards the limits of what is active, and a campaign has up to 100 line items.
  const campaignsFor = async (lineItems: number, each = 100) => {
    const params = times(Math.ceil(lineItems / each), (i) => {
      return { funding_instrument_id, name: `Campaign ${i}`, entity_status: 'DRAFT' };
    });
    const made: { id: string }[] = [];
    while (made.length < params.length) {
      made.push(...(await batch('campaigns', params.slice(made.length, made.length + 40))));
    }
    return made;
  };
  const draft = (campaign_id: string, kind: keyof typeof kinds) => ({
    campaign_id,
    placements: 'ALL_ON_PLATFORM',
    entity_status: 'DRAFT',
    ...flight,
    ...kinds[kind],
  });
  const lineItems = async (count: number, kind: keyof typeof kinds, each = 100): Promise<readonly string[]> => {
    const campaigns = await campaignsFor(count, each);
    const ids: string[] = [];
    while (ids.length < count) {
      const made = await batch(
        'line_items',
        times(Math.min(40, count - ids.length), (i) => draft(at(campaigns, (ids.length + i) / each).id, kind)),
      );
      ids.push(...made.map(({ id }) => id));
    }
    return ids;
  };
  const [posts, accounts, images, videos] = [
    await lineItems(40, 'posts'),
    await lineItems(supply, 'account'),
    await lineItems(Math.ceil(supply / page), 'images'),
    await lineItems(supply, 'video'),
  ];
  const campaigns = await campaignsFor(supply);
  for (let i = 0; i < supply; i += 500) {
    const targeted = videos.slice(i, Math.min(i + 500, supply));
    const place = { targeting_type: 'LOCATION', targeting_value: '96683cc9126741d1' };
    await batch(
      'targeting_criteria',
      targeted.map((line_item_id) => ({ line_item_id, ...place })),
    );
  }
  const targeting = await lineItems(page, 'posts', 1);
  const readers = { targeting_type: 'CUSTOM_AUDIENCE', targeting_value: custom_audience_id };
  await batch(
    'targeting_criteria',
    targeting.map((line_item_id) => ({ line_item_id, ...readers })),
  );
  const categories = await send({ method: 'GET', target: `${account}/curated_categories?country_codes=US` });
  const curated_category_id = at(categories, 0).id;
  const creations: Readonly<Record<string, (i: number) => Fields>> = {
    funding_instruments: () => instrument,
    line_items: (i) => draft(at(campaigns, i / 100).id, 'posts'),
    promoted_posts: (i) => ({ line_item_id: at(posts, i / page), post_ids: at(post_ids, i % page) }),
    promoted_accounts: (i) => ({ line_item_id: at(accounts, i), user_id }),
    media_creatives: (i) => ({
      line_item_id: at(images, i / page),
      account_media_id: at(account_media_ids, i % page),
      landing_url: 'https://example.com',
    }),
    line_item_curated_categories: (i) => ({ line_item_id: at(videos, i), curated_category_id }),
    targeting_criteria: (i) => ({
      line_item_id: at(posts, i / 500),
      targeting_type: 'BROAD_KEYWORD',
      targeting_value: `word ${i}`,
    }),
  };
  const audience = (i: number) => post('custom_audiences', { name: `New audience ${i}` });
  const components = [
    { type: 'MEDIA', media_key },
    { type: 'DETAILS', title: 'Rain barrels', destination: { type: 'WEBSITE', url: 'https://example.com/' } },
  ];
  const card = (i: number): Request => {
    return { method: 'POST', target: `${account}/cards`, json: JSON.stringify({ name: `Card ${i}`, components }) };
  };
  const filled: Readonly<Record<string, (i: number) => Request>> = {
    ...Object.fromEntries(Object.entries(creations).map(([name, fields]) => [name, (i) => post(name, fields(i))])),
    cards: card,
  };
  // Only so many are published in a quarter of an hour.
  const scheduledAt = (i: number) => new Date(Date.now() + 30 * DAY_MS + i * HOUR_MS).toISOString().slice(0, 17);
  // The bare server has no tables of these.
  const others: Readonly<Record<string, (i: number) => Request>> = {
    draft_posts: (i) => post('draft_posts', { as_user_id: user_id, text: `Draft ${i} of this autumn` }),
    scheduled_posts: (i) =>
      post('scheduled_posts', { as_user_id: user_id, text: `Later ${i}`, scheduled_at: `${scheduledAt(i)}00Z` }),
  };
  const fillings = [
    ...Object.entries(filled).map(([name, creation]) => ({ name, creation, count: page })),
    ...Object.entries(others).map(([name, creation]) => ({ name, creation, count: POSTS_TO_COME })),
  ];
  for (const { name, creation, count } of fillings) {
    const requests = await Promise.all(times(count, (i) => wire(held, creation(i))));
    const { failures, failure } = await load(port, requests, CONNECTIONS_TO_FILL);
    if (failures > 0) throw new Error(`${name}: ${failures} of a page failed, one with ${failure}`);
  }
  const list = (name: string, query = ''): Operation => ({
    name: `list ${name}`,
    request: () => ({ method: 'GET', target: `${account}/${name}${query}` }),
    aim: 1.5,
    writes: false,
  });
  const alone = (name: string, target: string): Operation => ({
    name,
    request: () => ({ method: 'GET', target }),
    writes: false,
  });
  const get = async (name: string, aim: number | null, query = ''): Promise<Operation> => {
    const [{ id } = { id: '' }] = await send({ method: 'GET', target: `${account}/${name}?count=1${query}` });
    return {
      name: `get ${name}`,
      request: () => ({ method: 'GET', target: `${account}/${name}/${id}` }),
      aim,
      writes: false,
    };
  };
  return [
    await get('line_items', 0.9, '&with_draft=true'),
    await get('cards', 0.9),
    await get('promoted_posts', null),
    await get('funding_instruments', null),
    list('funding_instruments'),
    list('line_items', '?with_draft=true'),
    list('promotable_users'),
    list('promoted_posts'),
    list('promoted_accounts'),
    list('media_creatives'),
    list('account_apps'),
    list('line_item_curated_categories'),
    list('targeting_criteria', `?line_item_ids=${posts.join(',')}`),
    list('custom_audiences', `?count=${PAGES_OF_AUDIENCES * page}`),
    list('cards', `?count=${page}`),
    ...Object.entries({ ...filled, custom_audiences: audience }).map(([name, request]) => ({
      name: `create ${name}`,
      request,
      // No aim: the other side inserts a row, and the server verifies the line item, campaign, media and posts that it refers to.
      aim: null,
      writes: true,
    })),
    ...Object.keys(others).map((name) => alone(`list ${name}`, `${account}/${name}?user_id=${user_id}`)),
    alone('list account_media', `${account}/account_media`),
    alone('list accounts', '/12/accounts'),
    alone('list features', `${account}/features`),
    alone('list curated_categories', `${account}/curated_categories?country_codes=US`),
    alone('custom_audiences.targeted', `${account}/custom_audiences/${custom_audience_id}/targeted?with_active=false`),
    alone('iab_categories', '/12/iab_categories'),
    alone('content_categories', '/12/content_categories'),
    alone('advertiser_business_categories', '/12/advertiser_business_categories'),
    alone('publishers', '/12/publishers'),
    alone('placements', '/12/line_items/placements'),
    alone('bidding_rules', '/12/bidding_rules'),
    alone('interests', '/12/targeting_criteria/interests'),
    alone('locations', '/12/targeting_criteria/locations?q=san'),
  ];
}

function times<Value>(count: number, make: (i: number) => Value): Value[] {
  return Array.from({ length: count }, (_, i) => make(i));
}

/** The element at a place that may lie between two. */
function at<Value>(list: readonly Value[], place: number): Value {
  const value = list[Math.floor(place)];
  if (value === undefined) throw new RangeError(`nothing at ${place} of ${list.length}`);
  return value;
}

/** Both servers must show the same records, and one record in the same bytes, or their figures say nothing. */
async function compare(held: Credentials, { name, request }: Operation, ours: number, bare: number): Promise<void> {
  const { target } = request(0);
  const bytes = await wire(held, request(0));
  if (name.startsWith('get ')) {
    const [a, b] = [bodyOf(await once(ours, bytes)), bodyOf(await once(bare, await wire(held, request(0))))];
    if (a !== b) throw new Error(`${target}: the servers answer differently:\n${a}\n${b}`);
    return;
  }
  const ids = async (port: number) => {
    const { data }: { data: { id: string } | { id: string }[] } = JSON.parse(bodyOf(await once(port, bytes)));
    return [data]
      .flat()
      .map(({ id }) => id)
      .join();
  };
  const [a, b] = [await ids(ours), await ids(bare)];
  if (a !== b || a === '') throw new Error(`${target}: the servers show different records:\n${a}\n${b}`);
}

/**
 * The demo world of a first start: one app, one user with a password, their tokens, an advertising account in each
 * environment that can pay for campaigns, an advertisement in the sandbox, and people around them who post and publish.
 * Its credentials are written to `credentials.json`, where a restart finds them.
 */

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rejectWithAny } from '@broadside/core';
import { loopbackCallbacks } from '@broadside/core/resources/apps';
import { initialSandboxFeatures } from '@broadside/core/resources/features';
import { dataNames } from '../data-names.ts';
import type { Actor } from '../db/change-log.ts';
import type { ListenerName } from '../listener-name.ts';
import { replaceFile, syncDirectory } from '../members/durable-file.ts';
import { createFundingInstrument } from '../resources/funding-instruments/find.ts';
import { timestamp } from '../world/clock.ts';
import { DataDirectoryError } from '../world/data-directory.ts';
import { type Environment, environments } from '../world/environment.ts';
import { randomText } from '../world/random.ts';
import type { World } from '../world/world.ts';
import { agreeOnDemo, demoSuffix } from './agreed-demo.ts';
import { type Credentials, credentialsFile } from './credentials.ts';
import { DEMO_USER } from './demo-posts.ts';
import { writeDemoCatalogue } from './write-catalogue.ts';
import { type DemoAdvertiser, writeDemoCreative } from './write-creative.ts';
import { writeDemoPosts } from './write-posts.ts';

/** The other parts of a demo. */
export interface DemoOptions {
  /** An advertisement in the sandbox account, which is empty otherwise, as worlds of tests want it. */
  readonly advertisement?: boolean;
}

type Urls = Readonly<Record<ListenerName, string>>;

/**
 * Creates the demo world when nobody on the platform can sign in yet: seeded people cannot.
 * @returns the credentials file, or `undefined` when the platform is in use and has no demo.
 */
export async function ensureDemo(
  world: World,
  urls: Urls,
  { advertisement = false }: DemoOptions = {},
): Promise<string | undefined> {
  const file = credentialsFile(world.dataDirectory);
  if (existsSync(file)) {
    refreshUrls(file, urls);
    return file;
  }
  if (world.servers) {
    const make = (suffix: string) => makeDemo(world, urls, suffix, advertisement);
    const agreed = await agreeOnDemo(world, world.servers, make);
    if (agreed === undefined) return undefined;
    save(file, { ...agreed, ...urlMembers(urls) });
    return file;
  }
  // Marks a demo in progress: without it, an interrupted start would leave users whose secrets nobody knows.
  const unfinished = path.join(world.dataDirectory, dataNames.unfinishedDemo);
  const inhabited = await world.seeds.isInhabited();
  if (inhabited && !existsSync(unfinished)) return undefined;
  writeFileSync(unfinished, '');
  syncDirectory(world.dataDirectory);
  save(file, await makeDemo(world, urls, await demoSuffix(world), advertisement));
  rmSync(unfinished);
  return file;
}

async function makeDemo(world: World, urls: Urls, suffix: string, advertisement: boolean): Promise<Credentials> {
  const actor: Actor = { user_id: null, platform: 'SERVER' };
  const { identity } = world;
  const password = randomText(world.credentialRandom, 20);
  const user = await identity.users.create(actor, {
    screen_name: `${DEMO_USER}${suffix}`,
    name: 'Demo Advertiser',
    password,
  });
  const app = await identity.apps.create(actor, {
    name: `Demo app${suffix}`,
    description: 'The app of the demo world. The command line signs in with it.',
    owner_user_id: user.id,
    callback_urls: [...loopbackCallbacks],
    sign_in_enabled: true,
    oob_enabled: true,
    access_level: 'write',
  });
  const token = await identity.tokens.issue(actor, app, user, 'write');
  const bearer_token = await world.bearerTokens.tokenOf(actor, app.id);
  const accountIds: Record<Environment, string> = { production: '', sandbox: '' };
  const fundingIds: Record<Environment, string> = { production: '', sandbox: '' };
  for (const environment of environments) {
    const ads = world.ads[environment];
    const account = await ads.createAccount(actor, {
      name: environment === 'sandbox' ? 'Demo sandbox account' : 'Demo account',
      business_name: 'Demo Advertiser',
      timezone: 'America/Los_Angeles',
      user_id: user.id,
      features: initialSandboxFeatures,
    });
    const funding = await ads.account(account.id).write(actor, (writer) =>
      createFundingInstrument(
        rejectWithAny,
        writer,
        // Without a credit limit, so that nobody who tries out budgets runs into one.
        { type: 'CREDIT_CARD', currency: 'USD', start_time: timestamp(world.clock) },
        'Demo card ending in 0650',
      ),
    );
    accountIds[environment] = account.id;
    fundingIds[environment] = funding.id;
  }
  const { post_ids, idOf } = await writeDemoPosts(world, user, suffix);
  for (const environment of environments) await writeDemoCatalogue(world.ads[environment].catalogue, actor, idOf);
  const advertiser: DemoAdvertiser = {
    caller: {
      kind: 'user',
      user_id: user.id,
      screen_name: user.screen_name,
      app_id: app.id,
      access_level: 'write',
      access_token: token.access_token,
    },
    account_id: accountIds.sandbox,
    funding_instrument_id: fundingIds.sandbox,
    baseUrl: urls.api,
  };
  const own = advertisement ? [await writeDemoCreative(world, advertiser)] : [];
  return {
    ...urlMembers(urls),
    consumer_key: app.consumer_key,
    consumer_secret: app.consumer_secret,
    access_token: token.access_token,
    access_token_secret: token.access_token_secret,
    bearer_token,
    callback_url: loopbackCallbacks[0],
    user_id: user.id,
    screen_name: user.screen_name,
    password,
    account_id: accountIds.production,
    sandbox_account_id: accountIds.sandbox,
    post_ids: [...post_ids, ...own],
  };
}

/** The addresses of the listeners, as `credentials.json` has them. */
export function urlMembers(urls: Urls) {
  return { base_url: urls.api, ads_base_url: urls.ads, ads_sandbox_base_url: urls.sandbox };
}

/** Brings the addresses in the credentials of a demo up to date; does nothing where there is no demo. */
export function refreshAddresses({ dataDirectory }: World, urls: Urls): void {
  const file = credentialsFile(dataDirectory);
  if (existsSync(file)) refreshUrls(file, urls);
}

/** The server may listen elsewhere than at its last start; the rest of the file is unchanged. */
function refreshUrls(file: string, urls: Urls): void {
  const before = readFileSync(file, 'utf8');
  const after = { ...credentialsIn(file, before), ...urlMembers(urls) };
  if (before !== written(after)) save(file, after);
}

/**
 * Checks the credentials of an earlier start before anything is opened, so that a start that is rejected for them writes nothing.
 * @throws DataDirectoryError
 */
export function checkCredentials(dataDirectory: string): void {
  const file = credentialsFile(dataDirectory);
  if (existsSync(file)) credentialsIn(file, readFileSync(file, 'utf8'));
}

function credentialsIn(file: string, text: string): object {
  const held = parsed(text);
  if (isCredentials(held)) return held;
  throw new DataDirectoryError(
    `The file ${file} does not hold credentials as the server wrote them. Restore it, or move it away to start without it.`,
  );
}

/** Addresses are written by each start, and earlier versions had less of the rest; without these, nobody could sign anything. */
const NEEDED: readonly (keyof Credentials)[] = [
  'consumer_key',
  'consumer_secret',
  'access_token',
  'access_token_secret',
];

function isCredentials(held: unknown): held is object {
  if (typeof held !== 'object' || held === null) return false;
  const members: Readonly<Record<string, unknown>> = { ...held };
  return NEEDED.every((name) => typeof members[name] === 'string' && members[name] !== '');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function written(credentials: object): string {
  return `${JSON.stringify(credentials, null, 2)}\n`;
}

/** Replaces the file, so that it is always complete. */
function save(file: string, credentials: object): void {
  replaceFile(file, written(credentials));
}

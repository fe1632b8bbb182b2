/** Apps and their owners, and the calls of the endpoints of authentication that succeed for them. */
import { type AuthOperation, authContract, type ErrorName, errorNumber, errorStatus } from '@broadside/core';
import { percentEncode } from '@broadside/core/auth';
import type { Answer, CreateWorldOptions, TestRequest, TestUser, TestWorld } from '@broadside/testkit';
import { expect } from 'vitest';
import { openWorld } from '../../support/world.ts';

export const CALLBACK = 'https://owner.example.com/callback';
export const ACTOR = { user_id: null, platform: 'SERVER' } as const;

/** A world with an app, its owner and somebody else who uses the app. */
export interface Setting {
  readonly world: TestWorld;
  readonly owner: TestUser;
  readonly other: TestUser;
  readonly user: TestUser;
}

export async function open(options: CreateWorldOptions = {}): Promise<Setting> {
  const world = await openWorld(options);
  const owner = await world.createUser('owner');
  const other = await world.createUser('other');
  const [app, person] = await Promise.all([
    world.platform.identity.apps.byKey(owner.consumer_key),
    world.platform.identity.users.get(other.user_id),
  ]);
  if (!app || !person) throw new TypeError('the app or the person is not of this world');
  const token = await world.platform.identity.tokens.issue(ACTOR, app, person, 'write');
  return { world, owner, other, user: { ...owner, ...token } };
}

/** Closes the world, in which nothing must have failed. */
export async function close({ world }: Setting): Promise<void> {
  expect(world.failures).toEqual([]);
  await world.close();
}

export async function appOf({ world, owner }: Setting) {
  const app = await world.platform.identity.apps.byKey(owner.consumer_key);
  if (!app) throw new TypeError('the app is missing');
  return app;
}

export const basic = ({ consumer_key, consumer_secret }: TestUser) => ({
  authorization: `Basic ${Buffer.from(`${consumer_key}:${consumer_secret}`).toString('base64')}`,
});

export type Credentials = Pick<TestRequest, 'as' | 'sign' | 'headers'>;

/** Credentials and parameters with which a call succeeds. */
export interface Call extends Credentials {
  readonly params: Readonly<Record<string, string>>;
}

const calls: Readonly<Record<AuthOperation['id'], (setting: Setting) => Promise<Call>>> = {
  [authContract.oauth.request_token.id]: async ({ owner }) => ({
    as: owner,
    sign: { token: null },
    params: { oauth_callback: CALLBACK, platform_auth_access_type: 'read' },
  }),
  [authContract.oauth.access_token.id]: async (given) => {
    const { requestTokens } = given.world.platform;
    const issued = await requestTokens.issue((await appOf(given)).id, CALLBACK, 'write');
    const oauth_verifier = await requestTokens.approve(issued.oauth_token, given.other.user_id);
    return {
      as: { ...given.owner, access_token: issued.oauth_token, access_token_secret: issued.oauth_token_secret },
      params: { oauth_verifier: oauth_verifier ?? '' },
    };
  },
  [authContract.oauth.invalidate_token.id]: async ({ world, owner }) => ({
    as: await world.issueToken(owner, 'read'),
    params: {},
  }),
  [authContract.oauth2.token.id]: async ({ owner }) => ({
    as: null,
    headers: basic(owner),
    params: { grant_type: 'client_credentials' },
  }),
  [authContract.oauth2.invalidate_token.id]: async (given) => ({
    as: given.owner,
    params: { access_token: await given.world.platform.bearerTokens.tokenOf(ACTOR, (await appOf(given)).id) },
  }),
};

export function callOf({ id }: AuthOperation, given: Setting): Promise<Call> {
  const call = calls[id];
  if (!call) throw new TypeError(`add a call of ${id}`);
  return call(given);
}

export type Place = 'query' | 'form' | 'header';

/** The places in which an endpoint takes its parameters; in the header they stand beside a signature. */
export function placesOf({ access }: AuthOperation): readonly Place[] {
  return access.auth === 'basic' ? ['query', 'form'] : ['query', 'form', 'header'];
}

/** Sends a call, or one that differs from it. */
export async function send(
  { world }: Setting,
  { http }: AuthOperation,
  { params, ...proof }: Call,
  { place = 'query', path = http.path }: { place?: Place; path?: string } = {},
): Promise<Answer> {
  const request = { listener: 'api', method: http.method, path, ...proof } as const;
  if (place !== 'header') return world.request({ ...request, [place]: params });
  const signed = await world.sign({ ...request, query: params });
  return world.send('api', { ...signed, ...inHeader(signed, Object.keys(params)) });
}

/** A signed request with parameters of its query in the header, of each the last: the signature covers a parameter in any place. */
export function inHeader(
  { url: target, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  names: readonly string[],
) {
  const url = new URL(target);
  const left = [...url.searchParams];
  const moved = names.flatMap((name) =>
    left.splice(
      left.findLastIndex(([one]) => one === name),
      1,
    ),
  );
  url.search = left.map((pair) => pair.map(percentEncode).join('=')).join('&');
  const pairs = moved.map(([name, value]) => `${name}="${percentEncode(value)}"`);
  const authorization = [headers['authorization'], ...pairs].join(', ');
  return { url: url.href, headers: { ...headers, authorization } };
}

export const rejection = (name: ErrorName, more: object = {}) => ({
  status: errorStatus(name),
  body: { errors: expect.arrayContaining([expect.objectContaining({ code: errorNumber(name), ...more })]) },
});

/** Returns the response with which an operation rejects a call: the only one that it has, if it declares one. */
export function rejectedAs({ rejection: one }: AuthOperation, name: ErrorName, more: object = {}) {
  return one === undefined ? rejection(name, more) : rejection(one, { label: 'authenticity_token_error' });
}

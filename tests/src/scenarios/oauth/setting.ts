/** Setting that the scenarios of the endpoints of authentication share. */
import type { Answer } from '@broadside/testkit';
import { expect } from 'vitest';
import { CALLBACK, type KeyedApp, type Pair, Provider, signing } from '../../oauth/attacks/provider.ts';
import type { Person, Visitor } from '../../oauth/attacks/visitor.ts';

export const QUARTER_HOUR_MS = 15 * 60_000;

/** A provider with somebody who is signed in and owns an app. */
export interface Setting {
  readonly provider: Provider;
  readonly app: KeyedApp;
  readonly anna: Person;
  /** Anna's browser, signed in. */
  readonly browser: Visitor;
}

export async function openSetting(): Promise<Setting> {
  const provider = await Provider.open();
  const anna = await provider.person('anna');
  const browser = await provider.signedIn(anna);
  const app = await provider.app({ owner_user_id: anna.user_id, callback_urls: [CALLBACK, 'myapp://cb'] });
  return { provider, app, anna, browser };
}

/** Closes the provider, in which nothing must have failed. */
export async function closeSetting({ provider }: Setting): Promise<void> {
  expect(provider.world.failures).toEqual([]);
  await provider[Symbol.asyncDispose]();
}

export const page = (token: string, more = '', name = 'authorize') => `/oauth/${name}?oauth_token=${token}${more}`;
export const asksPassword = ({ text }: Answer) => text.includes('type="password"');
export const asksApproval = ({ text }: Answer) => text.includes('value="approve"');

/** Writes with a token: what a token for reading cannot. */
export const write = ({ provider }: Setting, by: KeyedApp, token: Pair) =>
  provider.world.request({ method: 'POST', path: '/12/accounts', as: null, sign: signing(by, token) });

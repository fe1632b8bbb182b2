/**
 * Third-party libraries sign requests, and the advertising interface accepts them.
 *
 * Requests that they sign wrongly, found by experiment and not tested here:
 *
 * - Net::OAuth 0.28 sorts `a1=2` before `a=1`, signs one value of a name that comes twice, and the bytes of a URL in place
 *   of its characters.
 * - OAuth 2.0.7 of PHP signs one value of a name that comes twice in the query.
 * - simple_oauth 0.3.1 leaves out a name in the query that has no `=`.
 * - WWW::OAuth 1.000 keeps the case of the host and the default port.
 * - Authlib 1.2.0 signs no URL with a raw apostrophe in its query.
 * - npm `oauth` and `oauth-1.0a`: see `differential.test.ts`.
 */
import { createClient } from '@broadside/client';
import { afterAll, beforeAll, describe, expect, type TestContext, test } from 'vitest';
import * as z from 'zod';
import { type Listening, listening } from '../../support/listening.ts';
import type { Answer, RequestToSign, Signer } from './client.ts';
import { signers } from './libraries.ts';
import { required, Started } from './started.ts';

const NAME = `Ladies + Gentlemen, 50% off! "é☃漢😀" it's (a/b?c=d&e=f) [x]*~;:@$`;

let broadside: Listening;
let funding_instrument_id: string;
let started: Started<Signer>;

beforeAll(async () => {
  [broadside, started] = await Promise.all([listening(), Started.all(signers)]);
  const ours = createClient(broadside.credentials, { environment: 'sandbox' });
  const { sandbox_account_id: account_id } = broadside.credentials;
  const { data } = await ours.funding_instruments.list({ account_id });
  funding_instrument_id = data[0]?.id ?? '';
});

afterAll(async () => {
  started.close();
  await broadside[Symbol.asyncDispose]();
});

test('at least six libraries are tried', () => {
  expect(signers.length).toBeGreaterThanOrEqual(6);
});

test.runIf(required)('all of them are there in CI', () => {
  expect(started.missing).toEqual([]);
});

const Campaign = z.object({ id: z.string(), name: z.string() });
const One = z.object({ data: Campaign });
const Many = z.object({ data: z.array(Campaign) });

describe.each(signers.map(({ name }) => name))('%s', (name) => {
  type Given = Pick<RequestToSign, 'method' | 'form' | 'json'>;

  /** Sends a request of the demo's user. */
  function send(context: TestContext, path: string, given: Given, token_secret?: string): Promise<Answer> {
    const { ads_sandbox_base_url, consumer_key, consumer_secret, access_token, access_token_secret } =
      broadside.credentials;
    return started.get(name, context).send({
      ...given,
      url: ads_sandbox_base_url + path,
      app: { consumer_key, consumer_secret },
      token: { token: access_token, token_secret: token_secret ?? access_token_secret },
    });
  }

  /** The same, which must succeed. @returns the JSON of the response */
  async function ok(context: TestContext, path: string, given: Given): Promise<unknown> {
    const answer = await send(context, path, given);
    expect(answer).toMatchObject({ status: expect.toSatisfy((status: number) => status >= 200 && status < 300) });
    return JSON.parse(answer.body);
  }

  const campaigns = () => `/12/accounts/${broadside.credentials.sandbox_account_id}/campaigns`;
  const fields = (label: string) => ({
    name: `${name} ${label} ${NAME}`,
    funding_instrument_id,
    daily_budget_amount_local_micro: '55000000',
    entity_status: 'PAUSED',
  });
  const made = async (context: TestContext, label: string) => {
    const form = fields(label);
    return { form, campaign: One.parse(await ok(context, campaigns(), { method: 'POST', form })).data };
  };

  test('signs a form body', async (context) => {
    const { form, campaign } = await made(context, 'form');
    expect(campaign.name).toBe(form.name);
  });

  test('signs a query with reserved characters and letters of other scripts', async (context) => {
    const { form, campaign } = await made(context, 'query');
    const query = `count=7&q=${encodeURIComponent(form.name)}&campaign_ids=${encodeURIComponent(`${campaign.id},x1`)}`;
    const { data } = Many.parse(await ok(context, `${campaigns()}?${query}`, { method: 'GET' }));
    expect(data.map(({ id }) => id)).toEqual([campaign.id]);
  });

  test('signs the parameters of a PUT in the query', async (context) => {
    const { campaign } = await made(context, 'put');
    const changed = `${name} changed ${NAME}`;
    const target = `${campaigns()}/${campaign.id}?name=${encodeURIComponent(changed)}&entity_status=ACTIVE`;
    const { data } = One.parse(await ok(context, target, { method: 'PUT' }));
    expect(data).toEqual({ id: campaign.id, name: changed });
  });

  test('signs a request with a JSON body', async (context) => {
    const operations = ['one', 'two'].map((label) => ({ operation_type: 'Create', params: fields(label) }));
    const path = campaigns().replace('/12/', '/12/batch/');
    const { data } = Many.parse(await ok(context, path, { method: 'POST', json: JSON.stringify(operations) }));
    expect(data.map((campaign) => campaign.name)).toEqual(operations.map(({ params }) => params.name));
  });

  test('is rejected with the secret of another token', async (context) => {
    const answer = await send(context, campaigns(), { method: 'GET' }, 'anothersecret');
    expect(answer).toMatchObject({ status: 401, body: expect.stringContaining('UNAUTHORIZED_ACCESS') });
  });
});

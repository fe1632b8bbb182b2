// Calls a running Broadside with openapi-fetch and the types that openapi-typescript wrote: docs/guides/generated-clients.md
import { existsSync, readFileSync } from 'node:fs';
import { signRequest, webCryptoHmac } from '@broadside/core/auth';
import createClient, { type Middleware } from 'openapi-fetch';
import type { paths } from './broadside.ts';

const credentialsFile = process.argv[2] ?? '.data/credentials.json';
if (!existsSync(credentialsFile)) {
  console.error(`${credentialsFile} does not exist: start the server first, or name the file as argument 1`);
  process.exit(1);
}
const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'));

const oauth1: Middleware = {
  async onRequest({ request }) {
    const { authorization } = await signRequest({
      method: request.method,
      url: request.url,
      credentials: {
        consumerKey: credentials.consumer_key,
        consumerSecret: credentials.consumer_secret,
        token: credentials.access_token,
        tokenSecret: credentials.access_token_secret,
      },
      nonce: crypto.randomUUID(),
      timestamp: Math.floor(Date.now() / 1000),
      hmac: webCryptoHmac,
    });
    request.headers.set('authorization', authorization);
    return request;
  },
};

const client = createClient<paths>({
  baseUrl: credentials.ads_sandbox_base_url,
  // Types do not say how lists are written: with commas, not as repeated names.
  querySerializer: { array: { style: 'form', explode: false } },
});
client.use(oauth1);

const account = await client.POST('/12/accounts');
const account_id = account.data?.data.id ?? '';
const card = await client.POST('/12/accounts/{account_id}/funding_instruments', {
  params: { path: { account_id } },
  body: { type: 'CREDIT_CARD', currency: 'USD', start_time: '2026-01-01T00:00:00Z' },
});

const ids: string[] = [];
for (const name of ['Spring', 'Summer', 'Winter']) {
  const { data, error } = await client.POST('/12/accounts/{account_id}/campaigns', {
    params: { path: { account_id } },
    body: { name, funding_instrument_id: card.data?.data.id ?? '', daily_budget_amount_local_micro: 55_000_000 },
  });
  if (!data) throw new Error(JSON.stringify(error));
  ids.push(data.data.id);
}

// Pages: the cursor of the next one, until it is null.
for (let cursor: string | undefined; ; ) {
  const { data } = await client.GET('/12/accounts/{account_id}/campaigns', {
    params: { path: { account_id }, query: { count: 2, sort_by: ['name-asc'], ...(cursor ? { cursor } : {}) } },
  });
  console.log('page:', data?.data.map(({ name }) => name).join(', '));
  if (!data?.next_cursor) break;
  cursor = data.next_cursor;
}

const chosen = await client.GET('/12/accounts/{account_id}/campaigns', {
  params: { path: { account_id }, query: { campaign_ids: ids.slice(1), sort_by: ['deleted-asc', 'name-desc'] } },
});
console.log('chosen:', chosen.data?.data.map(({ name }) => name).join(', '));

const { error, response } = await client.PUT('/12/accounts/{account_id}/campaigns/{campaign_id}', {
  params: { path: { account_id, campaign_id: ids[0] ?? '' } },
  body: { total_budget_amount_local_micro: 1 },
});
for (const { code, parameter } of error?.errors ?? []) console.log('error:', response.status, code, parameter);

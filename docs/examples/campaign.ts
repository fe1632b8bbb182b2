// From an account to a running campaign with the typed client, @broadside/client
import { existsSync, readFileSync } from 'node:fs';
import { createClient } from '@broadside/client';

const data = process.env['BROADSIDE_DATA_DIR'] || '.data';
const credentialsFile = process.argv[2] ?? `${data}/credentials.json`;
if (!existsSync(credentialsFile)) {
  console.error(`${credentialsFile} does not exist: start the server first, or name the file as argument 1`);
  process.exit(1);
}
const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'));
const client = createClient(credentials, { environment: 'sandbox' });

// An account with a card that pays. Whoever makes it administers it, and can promote their own posts.
const { id: account_id } = await client.accounts.create();
const card = await client.funding_instruments.create({
  account_id,
  type: 'CREDIT_CARD',
  currency: 'USD',
  start_time: '2026-01-01T00:00:00Z',
});

const campaign = await client.campaigns.create({
  account_id,
  funding_instrument_id: card.id,
  name: 'Summer reading',
  daily_budget_amount_local_micro: 55_000_000n,
});

const now = Date.now();
const lineItem = await client.line_items.create({
  account_id,
  campaign_id: campaign.id,
  name: 'Readers',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['PLATFORM_TIMELINE', 'PLATFORM_SEARCH'],
  bid_amount_local_micro: 1_500_000n,
  start_time: new Date(now),
  end_time: new Date(now + 30 * 24 * 60 * 60_000),
});

// Lookups give the values that can be targeted.
const { data: interests } = await client.targeting_options.interests({ q: 'biographies' });
const { data: countries } = await client.targeting_options.locations({
  location_type: 'COUNTRIES',
  country_code: 'US',
});
const audience = [
  ...[...interests, ...countries].map(({ targeting_type, targeting_value }) => ({ targeting_type, targeting_value })),
  { targeting_type: 'BROAD_KEYWORD' as const, targeting_value: 'summer books' },
  { targeting_type: 'PHRASE_KEYWORD' as const, targeting_value: 'library card', operator_type: 'NE' as const },
];

const { audience_size } = await client.audience_estimate.create({ account_id, targeting_criteria: audience });
console.log('between', audience_size.min, 'and', audience_size.max, 'people');

// All criteria, or none of them.
const criteria = await client.targeting_criteria.batch({
  account_id,
  operations: audience.map((criterion) => ({
    operation_type: 'Create' as const,
    params: { line_item_id: lineItem.id, ...criterion },
  })),
});
for (const { targeting_type, operator_type, name } of criteria) console.log(targeting_type, operator_type, name);

// The last post that the credentials of the demo name is the user's own.
const [promoted] = await client.promoted_posts.create({
  account_id,
  line_item_id: lineItem.id,
  post_ids: credentials.post_ids.slice(-1),
});
console.log('promoted', promoted?.post_id, promoted?.approval_status);

const { effective_status, reasons_not_servable } = await client.campaigns.get({ account_id, campaign_id: campaign.id });
console.log(effective_status, reasons_not_servable);

// From a CSV file to a line item that targets its people, with the typed client, @broadside/client
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@broadside/client';

const data = process.env['BROADSIDE_DATA_DIR'] || '.data';
const [file = 'people.csv', credentialsFile = `${data}/credentials.json`] = process.argv.slice(2);
if (!existsSync(credentialsFile)) {
  console.error(`${credentialsFile} does not exist: start the server first, or name the file as argument 2`);
  process.exit(1);
}
const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'));
const client = createClient(credentials, { environment: 'sandbox' });
const account_id: string = credentials.sandbox_account_id;

const audience = await client.custom_audiences.create({ account_id, name: `Readers ${new Date().toISOString()}` });
const custom_audience_id = audience.id;

// One handle a line. An upload reads a generator or a stream as fast as its requests are acknowledged.
async function* people() {
  let isHeader = true;
  for await (const line of createInterface(createReadStream(file))) {
    if (!isHeader && line.trim() !== '') yield { handle: line };
    isHeader = false;
  }
}

const { rows, sent, refused, problems } = await client.custom_audiences.upload(people(), {
  account_id,
  custom_audience_id,
  onProgress: ({ acknowledged }) => console.log(acknowledged.rows, 'rows acknowledged'),
});
console.log(rows, 'rows,', sent, 'sent,', refused, 'refused');
for (const { row, field, message } of problems) console.log('row', row, field, message);

// People are matched in the background.
let now = await client.custom_audiences.get({ account_id, custom_audience_id });
while (now.reasons_not_targetable.includes('PROCESSING')) {
  await setTimeout(500);
  now = await client.custom_audiences.get({ account_id, custom_audience_id });
}
console.log(now.targetable ? 'targetable' : now.reasons_not_targetable, now.audience_size);

const targeting_criteria = [{ targeting_type: 'CUSTOM_AUDIENCE' as const, targeting_value: custom_audience_id }];
const { audience_size } = await client.audience_estimate.create({ account_id, targeting_criteria });
console.log('between', audience_size.min, 'and', audience_size.max, 'people');

const { data: cards } = await client.funding_instruments.list({ account_id });
const campaign = await client.campaigns.create({
  account_id,
  funding_instrument_id: cards[0]?.id ?? '',
  name: 'Summer reading',
  daily_budget_amount_local_micro: 55_000_000n,
});
const lineItem = await client.line_items.create({
  account_id,
  campaign_id: campaign.id,
  name: 'Readers',
  objective: 'ENGAGEMENTS',
  product_type: 'PROMOTED_POSTS',
  placements: ['PLATFORM_TIMELINE'],
  bid_amount_local_micro: 1_500_000n,
  start_time: new Date(),
  end_time: new Date(Date.now() + 30 * 24 * 60 * 60_000),
});
for (const criterion of targeting_criteria) {
  const { targeting_type, name } = await client.targeting_criteria.create({
    account_id,
    line_item_id: lineItem.id,
    ...criterion,
  });
  console.log(targeting_type, name);
}

// Calls a running Broadside with the typed client, @broadside/client
import { existsSync, readFileSync } from 'node:fs';
import { ApiResponseError, createClient } from '@broadside/client';

const data = process.env['BROADSIDE_DATA_DIR'] || '.data';
const credentialsFile = process.argv[2] ?? `${data}/credentials.json`;
if (!existsSync(credentialsFile)) {
  console.error(`${credentialsFile} does not exist: start the server first, or name the file as argument 1`);
  process.exit(1);
}
const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'));
const client = createClient(credentials, { environment: 'sandbox' });

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
console.log(campaign.id, campaign.effective_status, campaign.daily_budget_amount_local_micro);

for await (const { name, entity_status } of client.campaigns.list({ account_id })) console.log(name, entity_status);

try {
  await client.campaigns.update({ account_id, campaign_id: campaign.id, total_budget_amount_local_micro: 1n });
} catch (error) {
  if (!(error instanceof ApiResponseError)) throw error;
  console.log(error.status, error.errors[0]?.code, error.errors[0]?.parameter);
}

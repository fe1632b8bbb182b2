// From a picture to a promoted post with a card, with the typed client, @broadside/client
import { existsSync, openAsBlob, readFileSync } from 'node:fs';
import { createClient } from '@broadside/client';

const data = process.env['BROADSIDE_DATA_DIR'] || '.data';
const [file = 'picture.png', credentialsFile = `${data}/credentials.json`] = process.argv.slice(2);
if (!existsSync(credentialsFile)) {
  console.error(`${credentialsFile} does not exist: start the server first, or name the file as argument 2`);
  process.exit(1);
}
const credentials = JSON.parse(readFileSync(credentialsFile, 'utf8'));
const client = createClient(credentials, { environment: 'sandbox' });
const account_id: string = credentials.sandbox_account_id;

// The picture goes into the media library, and a card shows it with a website.
const { media_key } = await client.media.upload(await openAsBlob(file));
await client.media_library.create({ account_id, media_key, name: 'Autumn shelf' });
const { card_uri, card_type } = await client.cards.create({
  account_id,
  name: 'Autumn shelf',
  components: [
    { type: 'MEDIA', media_key },
    {
      type: 'DETAILS',
      title: '40 books for long evenings',
      destination: { type: 'WEBSITE', url: 'https://harborbooks.example.com/autumn' },
    },
  ],
});
console.log(card_type);

// A draft to look at: the address works in any browser for 24 hours.
const post = {
  account_id,
  as_user_id: credentials.user_id,
  text: `The autumn shelf is up, ${new Date().toISOString()}.`,
  card_uri,
};
const draft = await client.draft_posts.create(post);
const [frame] = await client.post_previews.list({ account_id, post_ids: [BigInt(draft.id)], post_type: 'DRAFT' });
console.log(frame?.preview);

// The same as a post, for promotion only, and once more in an hour.
const { id: post_id } = await client.posts.create(post);
const { scheduled_status } = await client.scheduled_posts.create({
  ...post,
  text: 'Two books are left on the autumn shelf.',
  scheduled_at: new Date(Date.now() + 60 * 60_000),
});
console.log(scheduled_status);

// Clicks on the website are what the line item pays for.
const { data: funding } = await client.funding_instruments.list({ account_id });
const campaign = await client.campaigns.create({
  account_id,
  funding_instrument_id: funding[0]?.id ?? '',
  name: 'Autumn shelf',
  daily_budget_amount_local_micro: 55_000_000n,
});
const lineItem = await client.line_items.create({
  account_id,
  campaign_id: campaign.id,
  name: 'Clicks',
  objective: 'WEBSITE_CLICKS',
  product_type: 'PROMOTED_POSTS',
  placements: ['PLATFORM_TIMELINE'],
  bid_amount_local_micro: 1_500_000n,
  start_time: new Date(),
  end_time: new Date(Date.now() + 30 * 24 * 60 * 60_000),
});
const [promoted] = await client.promoted_posts.create({ account_id, line_item_id: lineItem.id, post_ids: [post_id] });
console.log('promoted', promoted?.post_id, promoted?.approval_status);

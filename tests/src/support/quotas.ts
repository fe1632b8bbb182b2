import type { TestWorld } from '@broadside/testkit';

/** Tables whose rows have a quota by account. */
const tables = [
  'draft_posts',
  'cards',
  'poll_cards',
  'image_conversation_cards',
  'video_conversation_cards',
  'custom_audiences',
  'audience_grants',
  'library_media',
  'media_creatives',
  'promoted_accounts',
  'promoted_posts',
  'targeting_criteria',
] as const;

/** Counts an account of the sandbox as one that has as many as it may have, of everything that is counted by triggers. */
export function fillQuotas(world: TestWorld, account_id: string): Promise<void> {
  return hold(world, account_id, tables, 10_000_000);
}

/** Counts an account of the sandbox as one that has so many rows of a table. */
export function holdRows(world: TestWorld, account_id: string, table: string, held: number): Promise<void> {
  return hold(world, account_id, [table], held);
}

async function hold(world: TestWorld, account_id: string, names: readonly string[], held: number): Promise<void> {
  const { database } = world.platform.ads.sandbox;
  const sql = `INSERT INTO "list_counts" VALUES (?, ?, '', '', 0, ?) ON CONFLICT DO UPDATE SET "count" = excluded."count"`;
  await database.write(async (writer) => {
    for (const name of names) await writer.run(sql, [account_id, name, held]);
  });
}

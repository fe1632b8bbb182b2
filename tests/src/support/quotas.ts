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
export async function fillQuotas(world: TestWorld, account_id: string): Promise<void> {
  const { database } = world.platform.ads.sandbox;
  await database.write(async (writer) => {
    for (const table of tables) {
      const sql = `INSERT INTO "list_counts" VALUES (?, '${table}', '', '', 0, 10000000)
        ON CONFLICT DO UPDATE SET "count" = "count" + 10000000`;
      await writer.run(sql, [account_id]);
    }
  });
}

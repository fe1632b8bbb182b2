/** Calls that the scenarios of scheduled posts share. */
import path from 'node:path';
import type { TestWorld } from '@broadside/testkit';
import Sqlite from 'libsql';
import { z } from 'zod';
import { minutesAhead } from '../../fixtures/scheduled-posts.ts';
import { newText } from '../../support/drafting.ts';
import type { Entity, Stage } from '../../support/scenario.ts';

export const MINUTE_MS = 60_000;

/** Schedules a post, some minutes ahead. */
export function schedule(stage: Stage, minutes: number, params: object = {}): Promise<Entity> {
  const scheduled_at = minutesAhead(stage.world, minutes);
  return stage.one('scheduled_posts.create', {
    as_user_id: stage.user.user_id,
    scheduled_at,
    text: newText(),
    ...params,
  });
}

/** Moves the clock to a time, and has what is due then done. */
export async function reach(world: TestWorld, time: unknown): Promise<void> {
  world.clock.advance(Date.parse(String(time)) - world.clock.now());
  await world.runJobs();
}

/** A scheduled post as it is now. */
export function now(stage: Stage, { id: scheduled_post_id }: Entity): Promise<Entity> {
  return stage.one('scheduled_posts.get', { scheduled_post_id });
}

const PublishedPost = z.object({
  id: z.string(),
  author_id: z.string(),
  text: z.string(),
  name: z.string().nullable(),
  nullcast: z.number(),
  contributor_id: z.string().nullable(),
  card_uri: z.string().nullable(),
  created_ms: z.number(),
});
/** A published post as it is stored. */
export type PublishedPost = z.output<typeof PublishedPost>;

/** The posts of the platform with one of the texts, the oldest first. */
export function publishedPosts(
  { directory }: { readonly directory: string },
  texts: readonly unknown[],
): PublishedPost[] {
  const database = new Sqlite(path.join(directory, 'platform.db'), { readonly: true });
  try {
    const rows = database
      .prepare(
        `SELECT CAST("id" AS TEXT) AS "id", CAST("author_id" AS TEXT) AS "author_id", "text", "name", "nullcast",
          CAST("contributor_id" AS TEXT) AS "contributor_id", "card_uri", "created_ms"
        FROM "posts" WHERE "text" IN (SELECT value FROM json_each(?)) ORDER BY "posts"."id"`,
      )
      .all(JSON.stringify(texts));
    return z.array(PublishedPost).parse(rows);
  } finally {
    database.close();
  }
}

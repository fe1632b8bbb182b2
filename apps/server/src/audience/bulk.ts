import type { Writer } from '../db/database.ts';

/**
 * Runs statements of a write that change very many people, follows or posts. They are not noted one by one: whoever holds
 * an index builds it again.
 */
export async function inBulk<Result>(writer: Writer, body: () => Promise<Result>): Promise<Result> {
  await writer.run('UPDATE "audience_state" SET "bulk" = 1 WHERE "id" = 1');
  const result = await body();
  await writer.run('UPDATE "audience_state" SET "bulk" = 0, "epoch" = "epoch" + 1 WHERE "id" = 1');
  return result;
}

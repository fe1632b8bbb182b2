/** What the platform store holds on a person, a part after the other. Between two parts other work is done. */
import type { Reader } from '../db/database.ts';
import * as statements from './statements.ts';

/** Rows that one statement goes through. */
const SCANNED = 5_000;

/** Returns the first posts of a person, deleted ones too. @param after those with greater ids only */
export async function postsOf(reader: Reader, author_id: bigint, count: number, after = 0n): Promise<bigint[]> {
  return (await statements.listPostsOf.all(reader, { author_id, after, count })).map(({ id }) => id);
}

/** The likes of a person. */
export async function* likesOf(reader: Reader, user_id: bigint) {
  for (let from: { first: bigint; second: bigint } | undefined = { first: -1n, second: -1n }; from; ) {
    const part = { ...from, count: SCANNED };
    const end = await statements.endOfLikes.all(reader, part);
    const found = await statements.scanLikes.all(reader, { ...part, user_id });
    if (found.length > 0) yield found;
    from = end[0];
    await others();
  }
}

/** The votes of a person. */
export async function* votesOf(reader: Reader, user_id: bigint) {
  for (let from: { first: bigint; second: bigint } | undefined = { first: -1n, second: -1n }; from; ) {
    const part = { ...from, count: SCANNED };
    const end = await statements.endOfVotes.all(reader, part);
    const found = await statements.scanVotes.all(reader, { ...part, user_id });
    if (found.length > 0) yield found;
    from = end[0];
    await others();
  }
}

/** The ids of the media of a person. */
export async function* mediaOf(reader: Reader, owner_user_id: bigint) {
  for (let after: bigint | undefined = 0n; after !== undefined; ) {
    const found: { id: bigint; owner_user_id: bigint }[] = await statements.scanMedia.all(reader, {
      after,
      count: SCANNED,
    });
    const own = found.filter((row) => row.owner_user_id === owner_user_id).map(({ id }) => id);
    if (own.length > 0) yield own;
    after = found.length === SCANNED ? found.at(-1)?.id : undefined;
    await others();
  }
}

/** Lets what waits go on: statements of a file take the thread. */
function others(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

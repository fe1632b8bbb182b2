/**
 * Publishes scheduled posts. A post is claimed in its row, so that it is neither changed nor deleted from then on; then it is
 * published with a key of its own, and then the row says what became of it. Each step can be repeated: a process that ends
 * in between leaves a claimed row, and whoever finds the job goes on with it whatever the clock says.
 */
import { ApiError, type Issue, rejectWithAny, timestampMs, wireError } from '@broadside/core';
import { checkPosting } from '@broadside/core/resources/posts';
import type { PublicationFailure } from '@broadside/core/resources/scheduled-posts';
import type { Actor } from '../../db/change-log.ts';
import { type Publication, publicationKey, type ScheduledName } from '../../posts/publication-jobs.ts';
import type { AccountStore } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { findShown } from '../draft-posts/find.ts';
import { publishPost } from '../posts/find.ts';
import { promotableAmong } from '../promotable-users/find.ts';
import { type ScheduledPostRow, scheduledPost } from './entity.ts';

const SERVER: Actor = { user_id: null, platform: 'SERVER' };
/** Attempts after which a post has failed that could neither be published nor rejected: about half an hour. */
const MAX_FAILURES = 11;

/** Has a world publish scheduled posts at their time. */
export function attach(world: World): void {
  world.publications.handle((name, failures) => publish(world, name, failures));
}

async function publish(
  world: World,
  name: ScheduledName,
  failures: number,
  when: 'due' | 'now' = 'due',
): Promise<Publication> {
  const account = world.ads[name.environment].account(name.account_id);
  // Our choice: nothing is published any more for an account that was deleted.
  if ((await account.record())?.deleted !== false) return 'settled';
  const row = await claim(account, name.id, when);
  if (row === undefined) return 'missing';
  if (!row.publishing)
    return row.scheduled_status === 'SCHEDULED' ? { due_ms: timestampMs(row.scheduled_at) } : 'settled';
  const outcome = await outcomeOf(world, name, account, row, failures);
  await settle(account, row.id, outcome);
  return 'post_id' in outcome ? 'published' : 'failed';
}

/** Publishes a scheduled post before its time, or finds out why it cannot be. */
export async function publishNow(world: World, name: ScheduledName): Promise<void> {
  // With the last of the attempts, so that the outcome is written whatever it is.
  await publish(world, name, MAX_FAILURES, 'now');
}

/** Ends a scheduled post as one that could not be published, unless its publication has begun. */
export function failNow(actor: Actor, account: AccountStore, id: string, failure: PublicationFailure): Promise<void> {
  return account.write(actor, async (writer) => {
    const row = await writer.of(scheduledPost).get(id);
    if (row?.scheduled_status !== 'SCHEDULED' || row.publishing) return;
    await writer.of(scheduledPost).update(row, { scheduled_status: 'FAILED', failure });
  });
}

/** Begins the publication of a post that is due. @returns the row after that; undefined when there is none */
async function claim(account: AccountStore, id: string, when: 'due' | 'now'): Promise<ScheduledPostRow | undefined> {
  const found = await account.of(scheduledPost).get(id);
  if (found?.scheduled_status !== 'SCHEDULED' || found.publishing) return found;
  return account.write(SERVER, async (writer) => {
    const row = await writer.of(scheduledPost).get(id);
    const isDue = when === 'now' || (row !== undefined && row.scheduled_at <= writer.now);
    if (row?.scheduled_status !== 'SCHEDULED' || row.publishing || !isDue) return row;
    await writer.of(scheduledPost).derive(id, { publishing: true });
    return { ...row, publishing: true };
  });
}

/** The outcome for a post: the id of the published one, or why there is none. */
type Outcome = { readonly post_id: string } | { readonly failure: PublicationFailure };

async function outcomeOf(
  world: World,
  name: ScheduledName,
  account: AccountStore,
  row: ScheduledPostRow,
  failures: number,
): Promise<Outcome> {
  const key = publicationKey(name);
  try {
    const fault = failures === 0 ? await world.faults.later('scheduled_post', name) : undefined;
    // One that was published before remains so.
    if (fault?.fails && (await world.posts.published(key)) === undefined) {
      return { failure: failureOf({ error: 'INTERNAL_ERROR' }) };
    }
    return { post_id: await publishRow(world, name, account, row, key) };
  } catch (error) {
    const isVerdict = error instanceof ApiError && error.status < 500;
    if (!isVerdict && failures < MAX_FAILURES) throw error;
    // It may have been published before: by an attempt that was cut off, or by another process on the same stores.
    const post_id = await world.posts.published(key);
    if (post_id !== undefined) return { post_id };
    return { failure: failureOf(isVerdict ? error.issues[0] : { error: 'INTERNAL_ERROR' }) };
  }
}

async function publishRow(
  world: World,
  { environment }: ScheduledName,
  account: AccountStore,
  row: ScheduledPostRow,
  key: string,
): Promise<string> {
  const { user_id, contributor_id, text, media_keys, card_uri, name, nullcast } = row;
  const reject = rejectWithAny;
  // Our choice: what is suspended at the time publishes nothing.
  if ((await account.record())?.suspended) throw reject.error('ACCOUNT_LOCKED_OUT');
  const author = await world.identity.users.standing(user_id);
  if (author?.suspended) throw reject.error('CURRENT_USER_SUSPENDED');
  const [promotable] = await promotableAmong(account, [user_id]);
  const { promotable_user_type } = promotable ?? {};
  // Who may compose it was decided when it was written; that the account may post in this name is decided now.
  reject.check(checkPosting({ caller: null, as_user_id: user_id, promotable_user_type, nullcast }));
  await findShown(reject, { account, world }, { card_uri, media_keys });
  const post = {
    user_id,
    contributor_id,
    text,
    media_keys,
    nullcast,
    ...(card_uri === null ? {} : { card_uri }),
    ...(name === null ? {} : { name }),
  };
  return publishPost({ world, environment, account, actor: SERVER, reject }, post, key);
}

function failureOf(issue: Issue): PublicationFailure {
  const { code, message } = wireError(issue);
  return { code: `${code}`, message };
}

/** Writes what became of a post. */
async function settle(account: AccountStore, id: string, outcome: Outcome): Promise<void> {
  await account.write(SERVER, async (writer) => {
    const row = await writer.of(scheduledPost).get(id);
    if (row?.scheduled_status !== 'SCHEDULED') return;
    const result =
      'post_id' in outcome
        ? ({ scheduled_status: 'SUCCESS', post_id: outcome.post_id, completed_at: writer.now } as const)
        : ({ scheduled_status: 'FAILED', failure: outcome.failure } as const);
    await writer.of(scheduledPost).update(row, { ...result, publishing: false });
  });
}

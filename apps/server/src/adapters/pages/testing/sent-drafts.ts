/** People with an account and drafts, and notifications of them: without the operations that make both. */

import { draftPost } from '../../../resources/draft-posts/find.ts';
import type { World } from '../../../world/world.ts';

const ACTOR = { user_id: null, platform: 'SERVER' } as const;

/** An account of a person, in the sandbox. */
export async function accountOf(world: World, user_id: string): Promise<string> {
  const fields = { name: 'Harbour', business_name: null, timezone: 'Europe/Berlin', features: [] };
  return (await world.ads.sandbox.createAccount(ACTOR, { ...fields, user_id })).id;
}

/** Writes a draft in the name of a person. @returns its id */
export async function writeDraft(world: World, account_id: string, user_id: string, text: string): Promise<string> {
  const id = world.snowflakes.next();
  await world.ads.sandbox
    .account(account_id)
    .write(ACTOR, (writer) =>
      writer.of(draftPost).insert({ name: null, text, user_id, nullcast: true, card_uri: null, media_keys: [] }, id),
    );
  return id;
}

/** Deletes a draft. */
export async function deleteDraft(world: World, account_id: string, id: string): Promise<void> {
  await world.ads.sandbox.account(account_id).write(ACTOR, async (writer) => {
    const drafts = writer.of(draftPost);
    const draft = await drafts.get(id);
    if (draft) await drafts.purge(draft);
  });
}

/** Tells a person of a draft. @returns the id of the notification */
export async function notifyOf(
  world: World,
  user_id: string,
  account_id: string,
  draft_post_id: string,
  title: string,
) {
  const notice = { user_id, environment: 'sandbox', account_id, draft_post_id, title } as const;
  return (await world.notifications.notifyDraft(notice)).id;
}

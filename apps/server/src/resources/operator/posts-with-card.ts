import type { Reject } from '@broadside/core';
import { Pace } from '../../pace.ts';
import type { AccountStore } from '../../world/account-store.ts';
import type { World } from '../../world/world.ts';
import { showCardById } from '../all-cards/find.ts';
import { promotedPost } from '../promoted-posts/find.ts';

/** Posts that are read at a time. */
const PORTION = 200;

/** Returns the ids of the promoted posts of an account whose post shows a card. */
export async function postsWithCard(
  {
    world,
    reject,
    baseUrl,
  }: { readonly world: World; readonly reject: Reject<'CARD_NOT_FOUND'>; readonly baseUrl: string },
  account: AccountStore,
  card_id: string,
): Promise<string[]> {
  const card = await showCardById(account, { card_id, with_deleted: false }, { world, baseUrl });
  if (!card) {
    const message = `The account has no card ${card_id.slice(0, 100)}`;
    throw reject.error({ error: 'CARD_NOT_FOUND', parameter: 'entity_id', value: card_id, message });
  }
  const pace = new Pace();
  const showing: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { count: PORTION, with_deleted: false, with_total_count: false };
    const page = await account.of(promotedPost).list({ ...query, ...(cursor === undefined ? {} : { cursor }) });
    const posts = await world.posts.promotable(page.data.map(({ post_id }) => BigInt(post_id)));
    for (const { id, post_id } of page.data) {
      if (posts.get(BigInt(post_id))?.card?.card_uri === card.card_uri) showing.push(id);
    }
    cursor = page.next_cursor ?? undefined;
    await pace.step();
  } while (cursor !== undefined);
  return showing;
}

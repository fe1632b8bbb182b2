import { numberOfCardUri } from '@broadside/core/resources/cards';
import { choicesOf } from '@broadside/core/resources/poll-cards';
import type { NewPoll } from '../../polls/polls.ts';
import type { AccountReader } from '../../world/account-store.ts';
import { pollCard } from './entity.ts';

/** Returns what a post with a card keeps of its poll, open or closed; `undefined` where the card is no poll. */
export async function pollToPost(account: AccountReader, card_uri: string): Promise<NewPoll | undefined> {
  const row = await account.of(pollCard).existing({ card_uri });
  const number = numberOfCardUri(card_uri);
  if (!row || number === undefined) return undefined;
  return {
    id: BigInt(number),
    choices: choicesOf(row),
    duration_minutes: row.duration_in_minutes,
    start_ms: Date.parse(row.created_at),
    media_key: row.media_key,
  };
}

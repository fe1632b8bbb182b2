import type { Actor } from '../db/change-log.ts';
import type { Database } from '../db/database.ts';
import { type Clock, timestamp } from '../world/clock.ts';
import { type PollResults, readPolls } from './polls.ts';
import { castVote, hasVoted, type NewVote, recordVote } from './votes.ts';

interface Services {
  readonly database: Database;
  readonly clock: Clock;
}

/** Polls of posts, and the votes of people. */
export class PollStore {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** Returns the polls with these numbers that were posted, in no order; open or closed by the world's clock. */
  read(numbers: readonly bigint[]): Promise<PollResults[]> {
    const { database, clock } = this.#services;
    return readPolls(database, numbers, clock.now());
  }

  /** Returns whether a person has voted in the poll with a number. */
  hasVoted(number: bigint, user_id: string): Promise<boolean> {
    return hasVoted(this.#services.database, number, BigInt(user_id));
  }

  /** Votes for a person. @returns the number of the poll. @throws PostRejectedError; see {@link castVote} */
  async vote(actor: Actor, vote: NewVote): Promise<bigint> {
    const { database, clock } = this.#services;
    return database.write(async (writer) => {
      const poll = await castVote(writer, vote, clock.now());
      await recordVote(writer, actor, timestamp(clock), poll, vote);
      return poll;
    });
  }
}

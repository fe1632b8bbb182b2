/** The work on audiences of one place, for a server that has it done by the worker that keeps them. */
import type { AudienceName } from '../audience/audience-names.ts';
import type { Marks } from '../audience/members/members-of-index.ts';
import { type Ranges, writtenRanges } from '../audience/ranges.ts';
import type { MemberBatch } from '../members/member-store.ts';
import { FIRST_PLACE } from '../servers/audience-places.ts';
import { ElsewhereError } from '../servers/errors.ts';
import type { PlatformFacts } from '../servers/platform-facts.ts';
import type { AudienceWork, CallHeads, CallName } from './calls.ts';
import { type MarkedMembers, markedMembersOf } from './marked-members.ts';
import { away, type CallOptions, SignedCalls, UnreachedError } from './signed-calls.ts';
import { findWorkerAddress, type WorkerAddress } from './worker-address.ts';

export interface AskedWorkerOptions extends CallOptions {
  readonly facts: Pick<PlatformFacts, 'find'>;
  /** See `audience-places.ts`. */
  readonly at: string;
}

export class AskedWorker implements Pick<AudienceWork, 'take'> {
  readonly #facts: AskedWorkerOptions['facts'];
  readonly #at: string;
  readonly #calls: SignedCalls;
  #address: WorkerAddress | undefined;

  constructor({ facts, at, ...options }: AskedWorkerOptions) {
    this.#facts = facts;
    this.#at = at;
    this.#calls = new SignedCalls(options);
  }

  async take(audience: AudienceName, { operations, users }: MemberBatch, now_s: number): Promise<void> {
    await this.#ask('take', { audience, operations, now_s }, users);
  }

  /** Waits until everything is merged that was acknowledged for an audience. */
  async settle(audience: string): Promise<void> {
    await this.#ask('settle', { audience });
  }

  /** The states of audiences. The people of the platform are matched with them as they are now. */
  async marks(audiences: readonly string[]): Promise<Marks> {
    return JSON.parse(await this.#ask('marks', { audiences }));
  }

  /** The matched members of an audience in some ranges, and the mark of that state. */
  async matched(audience: string, ranges: Ranges): Promise<MarkedMembers> {
    return markedMembersOf(await this.#ask('matched', { audience, ranges: writtenRanges(ranges) }));
  }

  /** @returns the result as JSON @throws ElsewhereError where there is none */
  async #ask<Name extends CallName>(name: Name, head: CallHeads[Name], bytes?: Uint8Array): Promise<string> {
    const until = this.#calls.deadline();
    const known = this.#address;
    try {
      return await this.#calls.ask(known ?? (await this.#find()), name, head, until, bytes);
    } catch (error) {
      if (!(error instanceof UnreachedError)) throw error;
      // It may have moved, or have been started again, or have closed a connection that was kept.
      const address = await this.#find();
      return this.#calls.ask(address, name, head, until, bytes).catch((again: unknown) => {
        throw again instanceof UnreachedError ? away(address, again) : again;
      });
    }
  }

  async #find(): Promise<WorkerAddress> {
    this.#address = await findWorkerAddress(this.#facts, this.#at);
    if (this.#address) return this.#address;
    const which = this.#at === FIRST_PLACE ? '' : ` on the data directory with the server.id ${this.#at}`;
    throw new ElsewhereError(
      `Work on audiences is done by a worker (BROADSIDE_ROLE=worker), and none has been started on this platform yet${which}; try again later.`,
    );
  }
}

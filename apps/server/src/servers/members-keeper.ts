/** The right of one process to keep the members of the audiences of one place. See ADR 0033. */
import { setTimeout } from 'node:timers/promises';
import { ElsewhereError, SeveralServersError } from './errors.ts';
import { LEASE_MS } from './leases.ts';
import { leaseOf } from './members-lease.ts';
import type { Registration } from './registration.ts';

/** A process that has died elsewhere holds its leases for so long. */
const PATIENCE_MS = LEASE_MS + 3_000;
const LOOK_MS = 500;

type KeptPlace = Pick<MembersKeeper, 'directory' | 'place'>;

export class MembersKeeper {
  /** The id of the data directory that has them. */
  readonly directory: string;
  /** What it is called among the places of audiences, see `audience-places.ts`. */
  readonly place: string;
  readonly #registration: Registration;

  private constructor(registration: Registration, { directory, place }: KeptPlace) {
    this.#registration = registration;
    this.directory = directory;
    this.place = place;
  }

  /**
   * Takes the lease, waiting for that of a process that may have died.
   * @throws SeveralServersError if another process holds it
   */
  static async take(registration: Registration, kept: KeptPlace, patience_ms = PATIENCE_MS): Promise<MembersKeeper> {
    for (let waited_ms = 0; !(await registration.leases.take(leaseOf(kept.place))); waited_ms += LOOK_MS) {
      if (waited_ms >= patience_ms) {
        throw new SeveralServersError(
          'Another worker keeps the members of audiences in a copy of this data directory, and is running: stop it first.',
        );
      }
      await setTimeout(LOOK_MS);
    }
    return new MembersKeeper(registration, kept);
  }

  /**
   * Checks that no other process can have taken over.
   * @throws LeaseEndedError, ElsewhereError
   */
  check(): void {
    const { problem, leases } = this.#registration;
    if (problem !== undefined) throw problem;
    if (leases.hasLost(leaseOf(this.place))) {
      throw new ElsewhereError('Another worker keeps the members of audiences by now; stop this one.');
    }
  }
}

/** Tells all servers of commits that outdate what they remember. */
import type { CommitGuard } from '../db/commit-guard.ts';
import { randomText, systemRandom } from '../world/random.ts';
import type { RedisLink } from './redis-link.ts';
import { beginScript, endScript } from './redis-scripts.ts';
import type { Repeated } from './repeated.ts';
import type { Subject } from './shared-state.ts';

/** What is in flux stays so for this time if nobody ends it: longer than any COMMIT takes until it is known to have failed. */
const FLUX_SECONDS = 60;

/** Guards the commits that a subject depends on. */
export class RedisGuard implements CommitGuard {
  readonly #link: RedisLink;
  readonly #subject: Subject;
  readonly #keys: readonly [generations: string, flux: string];
  readonly #repeated: Repeated;

  constructor(link: RedisLink, subject: Subject, key: (name: string) => string, repeated: Repeated) {
    this.#repeated = repeated;
    this.#link = link;
    this.#subject = subject;
    this.#keys = [key('generations'), key('flux')];
  }

  async begin(): Promise<() => Promise<void>> {
    const member = `${this.#subject}:${randomText(systemRandom, 22)}`;
    await this.#link.evaluate(beginScript, this.#keys, [this.#subject, member, `${FLUX_SECONDS}`]);
    // Repeated also where Redis has forgotten that it was begun: others may have remembered what was there before.
    return () => this.#repeated.run(() => this.#end(member));
  }

  async #end(member: string): Promise<void> {
    await this.#link.evaluate(endScript, this.#keys, [this.#subject, member]);
  }
}

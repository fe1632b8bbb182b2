import type { AudienceState } from './audience-state.ts';
import { breather } from './breathe.ts';
import { compact, runsToCompact } from './compaction.ts';
import { Lock } from './lock.ts';

/** Makes few runs of many, one audience at a time, while merges go on. */
export class Compactor {
  readonly #lock = new Lock();
  readonly #queued = new Set<AudienceState>();

  /** Looks at an audience that has got a run. */
  consider(audience: AudienceState): void {
    if (this.#queued.has(audience) || runsToCompact(audience.manifest.runs) === 0) return;
    this.#queued.add(audience);
    void this.#lock.run(async () => {
      this.#queued.delete(audience);
      const count = runsToCompact(audience.manifest.runs);
      if (count > 0) await this.#compact(audience, count, audience.manifest.at_s);
    });
  }

  /** Waits for what is under way. */
  async settle(): Promise<void> {
    await this.#lock.run(async () => {});
  }

  /** Removes everything that had expired by a time from the files of an audience. */
  sweep(audience: AudienceState, now_s: number): Promise<void> {
    return this.#lock.run(async () => {
      const { runs } = audience.manifest;
      if (runs.some(({ earliest_s }) => earliest_s <= now_s)) await this.#compact(audience, runs.length, now_s);
    });
  }

  async #compact(audience: AudienceState, count: number, now_s: number): Promise<void> {
    const { runs } = audience.manifest;
    const opened = audience.openRuns(count);
    const replaced = new Set(opened.map(({ facts: { id } }) => id));
    try {
      const writer = audience.createRun();
      const run = await compact(opened, count === runs.length, now_s, writer, breather());
      const { manifest } = audience;
      if (manifest.dropped) {
        audience.removeRun(run.id);
        return;
      }
      // Runs that have come meanwhile are newer.
      const older = runs.slice(0, runs.length - count);
      const newer = manifest.runs.filter(({ id }) => !replaced.has(id) && !older.some((other) => other.id === id));
      audience.publish({
        at_s: Math.max(manifest.at_s, now_s),
        runs: [...older, ...(run.entries > 0 ? [run] : []), ...newer],
      });
      if (run.entries === 0) audience.removeRun(run.id);
    } finally {
      for (const run of opened) run.close();
    }
    this.consider(audience);
  }
}

import type { MatchedMembers } from '../member-store.ts';
import type { Times } from './run-format.ts';

/** Collects matched people in columns. */
export class MatchedColumns {
  readonly #ids: bigint[] = [];
  readonly #intervalEnds = new NumberColumn();
  readonly #from = new NumberColumn();
  readonly #to = new NumberColumn();
  readonly #eventEnds = new NumberColumn();
  readonly #events = new NumberColumn();

  /** Adds the next person in the order of ids. */
  add(user_id: bigint, { intervals, events }: Times): void {
    this.#ids.push(user_id);
    for (let at = 0; at < intervals.length; at += 2) {
      this.#from.push(intervals[at] ?? 0);
      this.#to.push(intervals[at + 1] ?? 0);
    }
    this.#intervalEnds.push(this.#from.length);
    for (const event of events) this.#events.push(event);
    this.#eventEnds.push(this.#events.length);
  }

  finish(): MatchedMembers {
    return {
      user_ids: BigUint64Array.from(this.#ids),
      interval_ends: this.#intervalEnds.finish(),
      from_s: this.#from.finish(),
      to_s: this.#to.finish(),
      event_ends: this.#eventEnds.finish(),
      events_s: this.#events.finish(),
    };
  }
}

class NumberColumn {
  #numbers = new Uint32Array(64);
  length = 0;

  push(value: number): void {
    if (this.length === this.#numbers.length) {
      const grown = new Uint32Array(this.length * 2);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[this.length++] = value;
  }

  finish(): Uint32Array {
    return this.#numbers.slice(0, this.length);
  }
}

/** What is wrong with the platform, and when it was: the answers that may come depend on it. */
import { strict as assert } from 'node:assert';
import type { Answer } from './client.ts';
import type { Target } from './load.ts';
import type { Machine } from './machine.ts';
import type { Part } from './platform.ts';

interface Disturbance {
  readonly part: Part;
  /** The part runs again, though it may not serve yet. */
  isBack: boolean;
  /** Infinity while it lasts. */
  until: number;
}

interface About extends Pick<Target, 'shard' | 'isMoved'> {
  /** It asks for a move, which is refused while the move before is not over. */
  readonly asksForMove?: boolean;
}

/** How a request ended. */
export type Outcome =
  | { readonly kind: 'answer'; readonly answer: Answer }
  /** Nothing was done; to be sent again later. */
  | { readonly kind: 'refused' }
  /** It may have been done or not. */
  | { readonly kind: 'unknown' };

/** The disturbances of a run. One lasts until all servers serve again. */
export class Disturbances {
  readonly #machine: Pick<Machine, 'stalledSince'>;
  readonly #all: Disturbance[] = [];
  /** Answers by what they were; `locked` are writes of an account that was closed. */
  readonly counts = { answered: 0, refused: 0, locked: 0, lost: 0, unknown: 0 };

  /** What the last refused request was told, and by whom. */
  lastRefusal: string | undefined;

  /** @param machine that everything runs on: where it stalls, nothing keeps its deadline */
  constructor(machine: Pick<Machine, 'stalledSince'>) {
    this.#machine = machine;
  }

  /** Begins one. @returns what says that the part runs again, and what ends it */
  begin(part: Part): { readonly back: () => void; readonly end: () => void } {
    const disturbance: Disturbance = { part, isBack: false, until: Number.POSITIVE_INFINITY };
    this.#all.push(disturbance);
    return {
      back: () => {
        disturbance.isBack = true;
      },
      end: () => {
        disturbance.until = performance.now();
      },
    };
  }

  /** Returns whether a part is killed or stopped now. */
  isAway(part: Part): boolean {
    return this.#all.some((one) => one.part === part && !one.isBack);
  }

  /**
   * Runs a request to a server and judges what comes of it.
   * @param about the account that the request is about: what is wrong with another shard is no reason to refuse it
   * @throws AssertionError on an answer that nothing explains that was wrong meanwhile
   */
  async judge(server: Part, request: () => Promise<Answer>, about: About = {}): Promise<Outcome> {
    const began = performance.now();
    let answer: Answer;
    try {
      answer = await request();
    } catch (error) {
      const own = this.#since(began).some(({ part }) => part === server);
      assert(own, `${server.name} gave no answer, with nothing wrong with it: ${String(error)}`);
      this.counts.lost++;
      return { kind: 'unknown' };
    }
    const { status, text, headers } = answer;
    if (status === 423) {
      const said = `${server.name} answered 423: ${text}`;
      assert(about.isMoved && text.includes('LOCK_ACQUISITION_TIMEOUT'), said);
      assert(Number(headers['retry-after']) > 0, `423 says when to come again: ${said}`);
      if (!about.asksForMove) this.counts.locked++;
      this.lastRefusal = said;
      return { kind: 'refused' };
    }
    if (status < 500) {
      this.counts.answered++;
      return { kind: 'answer', answer };
    }
    const wrong = this.#since(began)
      .map(({ part }) => part)
      .filter((part) => part.shard === undefined || part.shard === about.shard || about.isMoved);
    const stalled_ms = this.#machine.stalledSince(began);
    const what = `${server.name} answered ${status} while ${wrong.map(({ name }) => name).join() || 'nothing'} was away, and the machine stalled for ${stalled_ms.toFixed(0)} ms: ${text}`;
    assert(wrong.length > 0 || stalled_ms > 0, what);
    if (status === 503) {
      assert(Number(headers['retry-after']) > 0, `503 says when to come again: ${what}`);
      this.counts.refused++;
      this.lastRefusal = what;
      return { kind: 'refused' };
    }
    // The store had got the COMMIT, and its answer was lost; or Redis was away when others had to be told of it.
    const isLost = stalled_ms > 0 || wrong.some(({ kind }) => kind === 'store' || kind === 'redis');
    assert(status === 500 && isLost, what);
    this.counts.unknown++;
    return { kind: 'unknown' };
  }

  #since(time: number): readonly Disturbance[] {
    return this.#all.filter(({ until }) => until >= time);
  }
}

/** Clocks of worlds in process, which the test holds. */
import { ManualClock, wallClock } from '@broadside/server';
import type { WorldControl } from './connect/call-control.ts';

type ClockControl = WorldControl['clock'];
type Change = Parameters<ClockControl['set']>[0];
type Advance = Parameters<ClockControl['advance']>[0];

/** A clock that may also go with the time of the machine, from where it was set. */
export class HeldClock extends ManualClock {
  readonly #began: number | undefined;

  /** @param now milliseconds since the epoch */
  constructor(now: number, { runs }: { readonly runs: boolean }) {
    super(now);
    this.#began = runs ? wallClock.elapsed() : undefined;
  }

  get #passed(): number {
    return this.#began === undefined ? 0 : wallClock.elapsed() - this.#began;
  }

  override now(): number {
    return super.now() + Math.floor(this.#passed);
  }

  override elapsed(): number {
    return super.elapsed() + this.#passed;
  }

  override get isFrozen(): boolean {
    return this.#began === undefined;
  }
}

/** The clock of a world in process: of the test that holds it, and with the operations that the clock of a world of a server has. */
export class TestClock extends HeldClock implements ClockControl {
  #control: (() => ClockControl) | undefined;

  /** Takes the operations of the world that the clock is in. */
  controlledBy(control: () => ClockControl): void {
    this.#control = control;
  }

  /** Gets the state of the clock. */
  async get(): ReturnType<ClockControl['get']> {
    return this.#operations().get();
  }

  /** Sets the time forward: everything due until then happens in order. Its rate, and whether it is frozen, stay. @throws ControlError */
  async set(changes?: Change): ReturnType<ClockControl['set']> {
    return this.#operations().set(changes);
  }

  /** Lets milliseconds pass at once, without what is due in between; a negative number sets the clock back. */
  override advance(ms: number): void;
  /** Advances the time; everything due on the way happens in order, each at its own time. @throws ControlError */
  override advance(request?: Advance): ReturnType<ClockControl['advance']>;
  override advance(by?: number | Advance): ReturnType<ClockControl['advance']> | undefined {
    if (typeof by !== 'number') return this.#operations().advance(by);
    super.advance(by);
    return undefined;
  }

  #operations(): ClockControl {
    if (!this.#control) throw new TypeError('the clock is in no world yet');
    return this.#control();
  }
}

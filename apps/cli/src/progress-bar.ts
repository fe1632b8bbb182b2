import type { Sink } from './io.ts';

/** Progress of a task. */
export interface Progress {
  readonly done: number;
  /** `undefined` when nobody knows: then only the note is shown. */
  readonly total: number | undefined;
  /** More to say, such as the rate. */
  readonly note?: string;
}

const BAR = 24;
const REDRAW_MS = 100;
/** Between lines about a total that nobody knows. */
const LINE_MS = 5_000;
const CLEAR = '\r\u001b[K';

/** Shows on a terminal how far something has come and how long it may take; elsewhere it prints a line now and then. */
export class ProgressBar {
  readonly #sink: Sink;
  readonly #now: () => number;
  #began: { readonly at: number; readonly done: number } | undefined;
  #drawn = Number.NEGATIVE_INFINITY;
  #reported = -1;
  #writing: Promise<void> = Promise.resolve();

  /** @param now returns milliseconds of a monotonic clock */
  constructor(sink: Sink, now: () => number) {
    this.#sink = sink;
    this.#now = now;
  }

  /** Shows the current progress. */
  show({ done, total, note }: Progress): void {
    const at = this.#now();
    // The progress of an earlier run says nothing about the speed of this one.
    this.#began ??= { at, done };
    if (total === undefined) {
      if (at - this.#drawn < (this.#sink.isTTY ? REDRAW_MS : LINE_MS)) return;
      this.#drawn = at;
      this.#write(this.#sink.isTTY ? `${CLEAR}${note ?? ''}` : `${note ?? ''}\n`);
      return;
    }
    const share = total === 0 ? 1 : done / total;
    const left = done >= total ? '' : leftOf(share, (at - this.#began.at) / (done - this.#began.done), total - done);
    const percent = `${Math.floor(share * 100)} %`.padStart(5);
    const said = note === undefined ? left : `, ${note}${left}`;
    if (this.#sink.isTTY) {
      if (done < total && at - this.#drawn < REDRAW_MS) return;
      this.#drawn = at;
      const filled = Math.round(share * BAR);
      this.#write(`${CLEAR}[${'='.repeat(filled)}${' '.repeat(BAR - filled)}]${percent}${said}`);
      return;
    }
    const tenth = Math.floor(share * 10);
    if (tenth <= this.#reported) return;
    this.#reported = tenth;
    this.#write(`${percent.trim()}${said}\n`);
  }

  /** A sink for lines that are said meanwhile: they take the place of the bar, which is drawn again below them. */
  get beside(): Sink {
    return {
      isTTY: this.#sink.isTTY,
      columns: this.#sink.columns,
      write: async (text) => {
        this.#write(this.#sink.isTTY && this.#began ? `${CLEAR}${text}` : text);
        this.#drawn = Number.NEGATIVE_INFINITY;
        await this.#writing;
      },
    };
  }

  /** Leaves the line; resolves when all is written. */
  async end(): Promise<void> {
    if (this.#sink.isTTY && this.#began) this.#write('\n');
    await this.#writing;
  }

  #write(text: string): void {
    this.#writing = this.#writing.then(() => this.#sink.write(text));
  }
}

function leftOf(share: number, msEach: number, count: number): string {
  const seconds = Math.ceil((msEach * count) / 1000);
  if (share === 0 || !Number.isFinite(seconds)) return '';
  const minutes = Math.floor(seconds / 60);
  return `, ${minutes > 0 ? `${minutes} min ` : ''}${seconds % 60} s left`;
}

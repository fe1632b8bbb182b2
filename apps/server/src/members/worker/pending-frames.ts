/** Frames that are in the log and not merged, by audience, and the requests that wait for them. */
export class PendingFrames {
  readonly #audiences = new Map<string, { records: number; last: number; merged: number }>();
  /** Frames of these audiences up to a number need not be merged. */
  readonly #dropped = new Map<string, number>();
  #waiting: { readonly isOver: () => boolean; readonly resolve: () => void }[] = [];
  #segment = 0;

  /** A frame has become durable. */
  add(frame: { readonly audience: string; readonly seq: number; readonly records: number }, isDrop: boolean): void {
    const { audience, seq, records } = frame;
    const known = this.#audiences.get(audience);
    if (known) {
      known.records += records;
      known.last = seq;
    } else {
      this.#audiences.set(audience, { records, last: seq, merged: 0 });
    }
    if (isDrop) this.drop(audience, seq);
  }

  /** The audience is dropped by the frame of a number. */
  drop(audience: string, seq: number): void {
    this.#dropped.set(audience, seq);
  }

  /** Returns whether a frame belongs to an audience that is dropped after it. */
  isDropped(audience: string, seq: number): boolean {
    return seq < (this.#dropped.get(audience) ?? 0);
  }

  /** Returns the number of records of an audience that are not merged. */
  records(audience: string): number {
    return this.#audiences.get(audience)?.records ?? 0;
  }

  /** Frames of an audience have been merged. */
  done(audience: string, frames: readonly { readonly seq: number; readonly records: number }[]): void {
    const known = this.#audiences.get(audience);
    const last = frames.at(-1)?.seq ?? 0;
    if (known && known.last <= last) {
      this.#audiences.delete(audience);
    } else if (known) {
      known.records -= frames.reduce((sum, { records }) => sum + records, 0);
      known.merged = last;
    }
    if ((this.#dropped.get(audience) ?? Number.POSITIVE_INFINITY) <= last) this.#dropped.delete(audience);
    this.#check();
  }

  /** Resolves when what an audience has in the log now is merged. */
  settled(audience: string): Promise<void> {
    const last = this.#audiences.get(audience)?.last ?? 0;
    return this.#until(() => {
      const known = this.#audiences.get(audience);
      return !known || known.merged >= last;
    });
  }

  /** The log has been read up to a segment. */
  reached(segment: number): void {
    this.#segment = segment;
    this.#check();
  }

  /** Resolves when the log has been read up to a segment. */
  segmentReached(segment: number, now: number): Promise<void> {
    this.#segment = Math.max(this.#segment, now);
    return this.#until(() => this.#segment >= segment);
  }

  #until(isOver: () => boolean): Promise<void> {
    if (isOver()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isOver, resolve }));
  }

  #check(): void {
    const over = this.#waiting.filter(({ isOver }) => isOver());
    this.#waiting = this.#waiting.filter((waiting) => !over.includes(waiting));
    for (const { resolve } of over) resolve();
  }
}

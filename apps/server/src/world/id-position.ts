/** Positions of the ids of a world, as they are written down. */
import type { Environment } from './environment.ts';

/** The ids of entities of one store. */
export interface SequencePosition {
  /** The number that comes next. */
  readonly next: string;
  /** What the store says of the sequence, which holds as long as nobody else has changed it. */
  readonly ceiling: string;
}

/** What the file says. */
export interface IdPosition {
  readonly isInUse: boolean;
  /** Counts crashes: after one, the seed gives other bytes, which have not been used. */
  readonly generation: number;
  /** The numeric id that was handed out last. */
  readonly last: string;
  /** Bytes that were taken from the streams of the seed, by name. */
  readonly streams: Readonly<Record<string, number>>;
  readonly sequences: { readonly [Name in Environment]?: SequencePosition };
}

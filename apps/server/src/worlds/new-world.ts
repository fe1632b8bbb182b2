import type { GeneratorParameters } from '../seed/plan.ts';
import type { WorldFile } from './world-file.ts';

/** The beginning of a new world. */
export interface NewWorld {
  readonly name?: string | undefined;
  readonly origin: Exclude<WorldFile['origin'], 'DEFAULT'>;
  /** The world or snapshot that it is copied from. */
  readonly origin_id?: string | undefined;
  /** What a seed file says. */
  readonly content?: Readonly<Record<string, unknown>> | undefined;
  /** People and posts to generate. Where no time is given, it is a fixed one, or that at which the clock of the world stands. */
  readonly generate?: (Omit<GeneratorParameters, 'until_ms'> & { readonly until_ms: number | undefined }) | undefined;
  readonly seed?: string | undefined;
  readonly ttl_seconds?: number | undefined;
}

import type { Evidence, Variant } from './evidence.ts';
import type { MistakeName } from './mistakes.ts';

/** A mistake that changes what is signed, with the ways of making it in a request; the likelier first. */
export interface SigningMistake {
  readonly id: MistakeName;
  variants(evidence: Evidence): Iterable<Variant>;
}

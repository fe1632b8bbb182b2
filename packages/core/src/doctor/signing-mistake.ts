import type { Evidence, Variant } from './evidence.ts';
import type { MistakeName } from './mistakes.ts';

/** A mistake that changes the signed content, with its variants in a request; the likelier ones first. */
export interface SigningMistake {
  readonly id: MistakeName;
  variants(evidence: Evidence): Iterable<Variant>;
}

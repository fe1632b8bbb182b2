/** What a signature covers: everything in header, query and form body but `realm` and `oauth_signature` (RFC 5849 section 3.4.1.3.1). */
import { pairsOf, type UsualHeader } from './header-forms.ts';
import type { Pair } from './percent.ts';

/** The parameters that a signature covers, as they were read. */
export interface Covered {
  /** A header whose parameters, which come first, have been encoded for the base string, but not been made pairs. */
  readonly header: UsualHeader | undefined;
  /** All others, decoded, in the order header, query and form body. */
  readonly pairs: readonly Pair[];
  /** The query as sent, if `pairs` has its parameters and no others. */
  readonly query: string | undefined;
}

/** What a signature covers, where all of it is decoded pairs. */
export function coveredPairs(pairs: readonly Pair[]): Covered {
  return { header: undefined, pairs, query: undefined };
}

/** All parameters that a signature covers, decoded, in the order header, query and form body. */
export function coveredParameters({ header, pairs }: Covered): readonly Pair[] {
  return header === undefined ? pairs : [...pairsOf(header), ...pairs];
}

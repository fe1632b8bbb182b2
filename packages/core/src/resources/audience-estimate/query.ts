/** From targeting criteria to a question about people. */
import { ageRangeOf } from '../../data/targeting/ages.ts';
import type { TargetingType } from '../targeting-criteria/entity.ts';
import { isPrimary, targetingTypeFacts } from '../targeting-criteria/types.ts';
import { wordGroupsOf, wordsOf } from './words.ts';

/** Something that holds for a person or does not. Values are targeting values; ids are decimal. */
export type Trait =
  /** A location is a place, or what lies in it. */
  | { readonly kind: 'location' | 'language' | 'platform' | 'gender' | 'interest'; readonly value: string }
  /** Has completed so many years of life; an open end is null. */
  | { readonly kind: 'age'; readonly from: number; readonly to: number | null }
  | { readonly kind: 'followers_of' | 'similar_to_followers_of'; readonly user_id: string }
  /** Wrote a post that holds all groups of words, each group in its order. */
  | { readonly kind: 'wrote'; readonly groups: readonly (readonly string[])[] }
  /** Wrote a post of these words and no others. */
  | { readonly kind: 'wrote_exactly'; readonly words: readonly string[] }
  | { readonly kind: 'custom_audience'; readonly id: string }
  /** The platform knows this of nobody. */
  | { readonly kind: 'unknown' };

/** Who is asked for: people with a trait of each list of `all`, and with none of `none`. */
export interface AudienceQuery {
  readonly all: readonly (readonly Trait[])[];
  readonly none: readonly Trait[];
}

/** A criterion of an estimate. */
export interface AudienceCriterion {
  readonly targeting_type: TargetingType;
  readonly targeting_value: string;
  /** `NE` takes people away. */
  readonly operator_type: 'EQ' | 'NE';
}

/**
 * Who is meant by criteria (reference, targeting section 3): primary types are joined by union, all others by AND, and values
 * of one type by OR. Whoever matches a negated criterion is taken away. Without a primary criterion that gives people,
 * everybody is there to be narrowed down.
 */
export function audienceQuery(criteria: readonly AudienceCriterion[]): AudienceQuery {
  const alternatives = new Map<TargetingType | 'primary', Trait[]>();
  const none: Trait[] = [];
  for (const { targeting_type, targeting_value, operator_type } of criteria) {
    const trait = traitOf(targeting_type, targeting_value);
    if (!trait) continue;
    if (operator_type === 'NE') {
      none.push(trait);
      continue;
    }
    const key = isPrimary(targeting_type) ? 'primary' : targeting_type;
    const others = alternatives.get(key);
    if (others) others.push(trait);
    else alternatives.set(key, [trait]);
  }
  return { all: [...alternatives.values()], none };
}

/** What a criterion says of a person; `undefined` when it says where an advertisement stands instead. */
function traitOf(type: TargetingType, value: string): Trait | undefined {
  const { kind } = targetingTypeFacts[type];
  switch (kind) {
    case 'location':
    case 'language':
    case 'platform':
    case 'gender':
    case 'interest':
      return { kind, value };
    case 'age': {
      const range = ageRangeOf(value);
      return range ? { kind, ...range } : { kind: 'unknown' };
    }
    case 'full_promotable_user':
      return { kind: 'followers_of', user_id: value };
    case 'user':
      return { kind: 'similar_to_followers_of', user_id: value };
    case 'keyword':
      return keywordTrait(type, value);
    case 'audience':
      return { kind: 'custom_audience', id: value };
    case 'app_list':
    case 'iab_category':
    case 'publisher':
      return undefined;
    default:
      // Our choice: what the platform knows of nobody holds for nobody. Who is asked for by it only is nobody, and nobody
      // is taken away by it.
      return { kind: 'unknown' };
  }
}

function keywordTrait(type: TargetingType, keyword: string): Trait {
  switch (type) {
    case 'EXACT_KEYWORD':
      return { kind: 'wrote_exactly', words: wordsOf(keyword) };
    case 'PHRASE_KEYWORD':
      return { kind: 'wrote', groups: [wordsOf(keyword)] };
    default:
      // A plus in front of a word stops its expansion; there is none here, and it is no part of a word.
      return { kind: 'wrote', groups: wordGroupsOf(keyword) };
  }
}

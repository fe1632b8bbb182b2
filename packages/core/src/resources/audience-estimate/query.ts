/** Translates targeting criteria into a query for people. */
import { ageRangeOf } from '../../data/targeting/ages.ts';
import type { TargetingType } from '../targeting-criteria/entity.ts';
import { isPrimary, targetingTypeFacts } from '../targeting-criteria/types.ts';
import { wordGroupsOf, wordsOf } from './words.ts';

/** A condition that a person meets or does not. Values are targeting values; ids are decimal. */
export type Trait =
  /** For `location`, the value is a place; the places within it match as well. */
  | { readonly kind: 'location' | 'language' | 'platform' | 'gender' | 'interest'; readonly value: string }
  /** Age in completed years; an open bound is null. */
  | { readonly kind: 'age'; readonly from: number; readonly to: number | null }
  | { readonly kind: 'followers_of' | 'similar_to_followers_of'; readonly user_id: string }
  /** Wrote a post that contains every group of words, each group in its order. */
  | { readonly kind: 'wrote'; readonly groups: readonly (readonly string[])[] }
  /** Wrote a post that consists of exactly these words. */
  | { readonly kind: 'wrote_exactly'; readonly words: readonly string[] }
  | { readonly kind: 'custom_audience'; readonly id: string }
  /** A condition on something that the platform does not record, so nobody matches. */
  | { readonly kind: 'unknown' };

/** Matches the people who meet at least one condition of each list of `all`, and none of `none`. */
export interface AudienceQuery {
  readonly all: readonly (readonly Trait[])[];
  readonly none: readonly Trait[];
}

/** A criterion of an estimate. */
export interface AudienceCriterion {
  readonly targeting_type: TargetingType;
  readonly targeting_value: string;
  /** `NE` excludes the people who match. */
  readonly operator_type: 'EQ' | 'NE';
}

/**
 * Builds the query for a list of criteria (reference, targeting section 3): primary types are joined by union, all others by
 * AND, and values of one type by OR. Everyone who matches a negated criterion is excluded. Without a primary criterion to
 * select people, the other criteria narrow down everybody.
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

/** Returns the condition of a criterion; `undefined` if the criterion is about the placement of the advertisement. */
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
      // Our choice: nobody meets a condition that the platform does not record. On its own it selects nobody, and negated it
      // excludes nobody.
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
      // A leading plus disables expansion of the word. There is no expansion here, and the plus is not part of the word.
      return { kind: 'wrote', groups: wordGroupsOf(keyword) };
  }
}

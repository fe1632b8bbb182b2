/** Rules on the values of criteria, and their names (reference, targeting sections 3 and 6). */
import { iabCategories } from '../../data/iab-categories.ts';
import { ageBuckets } from '../../data/targeting/ages.ts';
import { appStoreCategories } from '../../data/targeting/app-store-categories.ts';
import { conversations } from '../../data/targeting/conversations.ts';
import { devices } from '../../data/targeting/devices.ts';
import { events } from '../../data/targeting/events.ts';
import { interests } from '../../data/targeting/interests.ts';
import { languages } from '../../data/targeting/languages.ts';
import { locations } from '../../data/targeting/locations.ts';
import { networkOperators } from '../../data/targeting/network-operators.ts';
import type { OptionTable, TargetingOption } from '../../data/targeting/option-table.ts';
import { platformVersions } from '../../data/targeting/platform-versions.ts';
import { platforms } from '../../data/targeting/platforms.ts';
import { tvShows } from '../../data/targeting/tv.ts';
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { show } from '../../wire/show.ts';
import { wordsOf } from '../audience-estimate/words.ts';
import { type AudienceFacts, expectedAudience } from './audiences.ts';
import type { OperatorType, TargetingCriterion } from './entity.ts';
import { targetingTypeFacts, type ValueKind } from './types.ts';

/** Type, operator and value of a criterion. */
export type CriterionTerms = Pick<TargetingCriterion, 'targeting_type' | 'targeting_value' | 'operator_type'>;

/** Stored facts about the entity that a value names; a member is absent if there is no such entity. */
export interface ValueFacts {
  /** The user with the value as id. */
  readonly user?: {
    readonly screen_name: string;
    /** Is the FULL promotable user of the account. */
    readonly is_full: boolean;
    /** Is one of the promotable users of the account. */
    readonly is_promotable: boolean;
    /** Publishes in content categories. */
    readonly is_publisher: boolean;
  };
  /** The campaign of the account with the value as id. */
  readonly campaign?: { readonly name: string };
  /** The custom audience of the account, or shared with it, with the value as id. */
  readonly audience?: AudienceFacts;
}

/** The name of a value, or the description of a valid one. */
type Reading = { readonly name: string } | { readonly expected: string };

type Reader = (value: string, facts: ValueFacts, operator: OperatorType) => Reading;

const engagementTypes = ['IMPRESSION', 'ENGAGEMENT', 'VIDEO_VIEW', 'VIDEO_VIEW_PARTIAL', 'VIDEO_VIEW_COMPLETE'];

function among(words: readonly string[], name?: string): Reader {
  const expected = `one of ${words.join(', ')}`;
  return (value) => (words.includes(value) ? { name: name ?? value } : { expected });
}

function of(lookup: string, table: OptionTable<TargetingOption>): Reader {
  const expected = `a targeting_value of GET targeting_criteria/${lookup}`;
  return (value) => {
    const row = table.find(value);
    return row ? { name: row.name } : { expected };
  };
}

/** The names of engagers, for any kind of engagement. The first is from the reference; the second is our choice. */
const USER_ENGAGERS = 'USER_ENGAGER_RETARGETING';
const CAMPAIGN_ENGAGERS = 'CAMPAIGN_ENGAGER_RETARGETING';

const genders: Readonly<Record<string, string>> = { 1: 'Male', 2: 'Female' };

const readers: Readonly<Record<ValueKind, Reader>> = {
  age: among(ageBuckets),
  // There is no endpoint for creating app lists yet.
  app_list: () => ({ expected: 'the id of an app list of the account, of which there are none' }),
  app_store_category: of('app_store_categories', appStoreCategories),
  audience: (_value, { audience }, operator) => {
    const expected = expectedAudience(audience, operator);
    // The name is the same with lookalikes and for flexible audiences (our choice).
    return expected === undefined ? { name: 'Custom audience targeting' } : { expected };
  },
  campaign: (_value, { campaign }) =>
    campaign ? { name: CAMPAIGN_ENGAGERS } : { expected: 'the id of a campaign of the account' },
  conversation: of('conversations', conversations),
  device: of('devices', devices),
  engagement_type: among(engagementTypes, 'RETARGETING_ENGAGEMENT_TYPE'),
  event: of('events', events),
  full_promotable_user: (_value, { user }) =>
    user?.is_full ? { name: user.screen_name } : { expected: 'the user id of the FULL promotable user of the account' },
  gender: (value) => {
    const name = Object.hasOwn(genders, value) ? genders[value] : undefined;
    return name === undefined ? { expected: '1 (male) or 2 (female)' } : { name };
  },
  iab_category: (value) => {
    const category = iabCategories.find(({ id }) => id === value);
    return category ? { name: category.name } : { expected: 'the id of an IAB category' };
  },
  interest: of('interests', interests),
  // Our choice: a keyword without words would never match, and the caller would not learn why.
  keyword: (value) => (wordsOf(value).length > 0 ? { name: value } : { expected: 'a keyword that holds a word' }),
  language: of('languages', languages),
  // There is no lookup for them (our choice: any id of the usual format is accepted).
  live_tv_event: (value) => (/^[0-9a-z]{1,13}$/.test(value) ? { name: value } : { expected: 'the id of a live event' }),
  location: of('locations', locations),
  months: (value) =>
    /^(0|[1-9]\d{0,2})$/.test(value) ? { name: value } : { expected: 'a number of months from 0 to 999' },
  network_operator: of('network_operators', networkOperators),
  platform: of('platforms', platforms),
  platform_version: of('platform_versions', platformVersions),
  promotable_user: (_value, { user }) =>
    user?.is_promotable ? { name: USER_ENGAGERS } : { expected: 'the user id of a promotable user of the account' },
  publisher: (_value, { user }) =>
    user?.is_publisher ? { name: user.screen_name } : { expected: 'a user_id of GET publishers' },
  tv_show: of('tv_shows', tvShows),
  user: (_value, { user }) => (user ? { name: user.screen_name } : { expected: 'the id of a user' }),
  yes: (value) => (value === '1' ? { name: 'Wi-Fi only' } : { expected: '1' }),
};

/** An issue of the operator or the value of a criterion. */
export type CriterionReadingIssue = Issue<'INVALID_IAB_CATEGORY' | 'INVALID_PARAMETER'>;

/** The result of reading a criterion: its name, and the issues of its operator and value. */
export interface CriterionReading {
  readonly name: string;
  readonly issues: readonly CriterionReadingIssue[];
}

/** Reads the operator and the value of a criterion. `facts` must hold what is stored for values that name an entity. */
export function readCriterion(terms: CriterionTerms, facts: ValueFacts): CriterionReading {
  const { targeting_type, targeting_value, operator_type } = terms;
  const { kind, operators } = targetingTypeFacts[targeting_type];
  const issues: CriterionReadingIssue[] = [];
  if (!operators.includes(operator_type)) {
    const message = `Expected ${operators.join(' or ')} with ${targeting_type}, got ${operator_type} for operator_type`;
    issues.push(invalidParameter('operator_type', operator_type, message));
  }
  const reading = readers[kind](targeting_value, facts, operator_type);
  if ('name' in reading) return { name: reading.name, issues };
  issues.push({
    error: kind === 'iab_category' ? 'INVALID_IAB_CATEGORY' : 'INVALID_PARAMETER',
    parameter: 'targeting_value',
    value: targeting_value,
    message: `Expected ${reading.expected} with ${targeting_type}, got ${show(targeting_value)} for targeting_value`,
  });
  return { name: targeting_value, issues };
}

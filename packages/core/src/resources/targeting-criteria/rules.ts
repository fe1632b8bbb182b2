/** Rules on the targeting criteria of a line item and their combinations (reference, targeting section 3). */
import { contentCategories } from '../../data/content-categories.ts';
import { devices, platformOfDevice } from '../../data/targeting/devices.ts';
import { countryOfLocale, tvShows } from '../../data/targeting/tv.ts';
import { type Issue, invalidParameter } from '../../wire/issues.ts';
import { placements as allPlacements, type LineItem, type Placement } from '../line-items/entity.ts';
import type { OperatorType, TargetingType } from './entity.ts';
import type { LineItemTargeting } from './line-item-targeting.ts';
import { criteriaLimits, engagers, type LimitGroup, targetingTypeFacts } from './types.ts';
import type { CriterionTerms } from './values.ts';

/** State that the rules check a new criterion against. */
export interface CriterionState {
  readonly line_item: Pick<LineItem, 'id' | 'placements'>;
  /** The criteria that the line item has. */
  readonly targeting: LineItemTargeting;
  /** True where the line item has a curated category. */
  readonly has_curated_category: boolean;
  /** True where the criterion is part of a batch. */
  readonly in_batch: boolean;
}

/** An issue of a criterion and its line item. */
export type CriterionIssue = Issue<'INCOMPATIBLE_LINE_ITEM' | 'INVALID_PARAMETER' | 'REQUEST_TOO_COMPLEX'>;

/** Checks a new criterion, whose operator and value are valid, against its line item. */
export function checkCriterion(terms: CriterionTerms, state: CriterionState): CriterionIssue[] {
  return [
    ...checkCall(terms, state),
    ...checkPlacements(terms, state),
    ...checkLimit(terms, state),
    ...checkContradiction(terms, state),
    ...checkAudiences(terms, state),
    ...checkDevices(terms, state),
    ...checkCategories(terms, state),
  ];
}

function wrongType({ targeting_type }: CriterionTerms, message: string): Issue<'INVALID_PARAMETER'> {
  return invalidParameter('targeting_type', targeting_type, message);
}

function wrongValue({ targeting_value }: CriterionTerms, message: string): Issue<'INVALID_PARAMETER'> {
  return invalidParameter('targeting_value', targeting_value, message);
}

function checkCall(terms: CriterionTerms, { in_batch }: CriterionState): Issue<'INVALID_PARAMETER'>[] {
  if (in_batch || !targetingTypeFacts[terms.targeting_type].batchOnly) return [];
  const path = 'POST /12/batch/accounts/:account_id/targeting_criteria';
  return [wrongType(terms, `${terms.targeting_type} criteria are created in a batch only: ${path}`)];
}

/** The types that placements reject. */
const rejectedTypes: Readonly<Partial<Record<Placement, readonly TargetingType[]>>> = {
  PLATFORM_SEARCH: [
    'FOLLOWERS_OF_USER',
    'SIMILAR_TO_FOLLOWERS_OF_USER',
    'INTEREST',
    'TV_SHOW',
    'LIVE_TV_EVENT',
    'ENGAGEMENT_TYPE',
    ...engagers,
  ],
  PLATFORM_TIMELINE: ['EXACT_KEYWORD'],
  PLATFORM_PROFILE: ['EXACT_KEYWORD'],
};

/** Placements outside the platform; only there do app lists have a meaning. */
const networkPlacements = allPlacements.filter((placement) => /^(?:PUBLISHER_NETWORK$|TAP_)/.test(placement));

/**
 * A type is rejected if every placement of the line item rejects it (our reading): with one placement that allows it, the
 * advertisement can be shown.
 */
function checkPlacements(
  terms: CriterionTerms,
  { line_item: { placements } }: CriterionState,
): Issue<'INVALID_PARAMETER'>[] {
  const { targeting_type } = terms;
  if (placements.every((placement) => rejectedTypes[placement]?.includes(targeting_type))) {
    return [wrongType(terms, `${targeting_type} cannot be targeted on ${placements.join(', ')}`)];
  }
  if (targeting_type === 'APP_LIST' && !placements.some((placement) => networkPlacements.includes(placement))) {
    return [wrongType(terms, `APP_LIST needs one of the placements ${networkPlacements.join(', ')} on the line item`)];
  }
  return [];
}

/** Maximum number of excluded publishers: with a curated category, and otherwise. */
export const PUBLISHERS_OF_CURATED = 5;
const PUBLISHERS = 50;

function limitOf(group: LimitGroup, { has_curated_category }: CriterionState): number {
  if (group !== 'publishers') return criteriaLimits[group];
  return has_curated_category ? PUBLISHERS_OF_CURATED : PUBLISHERS;
}

function checkLimit({ targeting_type }: CriterionTerms, state: CriterionState): Issue<'REQUEST_TOO_COMPLEX'>[] {
  const { group } = targetingTypeFacts[targeting_type];
  if (group === undefined) return [];
  const limit = limitOf(group, state);
  if (state.targeting.countOf(group) < limit) return [];
  const what = group === 'keywords' ? 'keywords of all types together' : `criteria of type ${targeting_type}`;
  const [one] = state.targeting.ofType(targeting_type);
  const message =
    limit === 1
      ? `A line item has one criterion of type ${targeting_type} at most; delete ${one?.targeting_value ?? 'it'} first`
      : `A line item has up to ${limit} ${what}`;
  return [{ error: 'REQUEST_TOO_COMPLEX', parameter: 'targeting_type', value: targeting_type, message }];
}

const opposites: Readonly<Partial<Record<OperatorType, OperatorType>>> = { EQ: 'NE', NE: 'EQ' };

/** A criterion and its opposite match nobody (our choice: the second of the two is rejected). */
function checkContradiction(terms: CriterionTerms, { targeting }: CriterionState): Issue<'INVALID_PARAMETER'>[] {
  const operator_type = opposites[terms.operator_type];
  if (operator_type === undefined || !targeting.find({ ...terms, operator_type })) return [];
  const message = `The line item has the same criterion with operator_type ${operator_type}; delete that first`;
  return [invalidParameter('operator_type', terms.operator_type, message)];
}

const audienceKinds: Readonly<Partial<Record<TargetingType, TargetingType>>> = {
  CUSTOM_AUDIENCE: 'CUSTOM_AUDIENCE_EXPANDED',
  CUSTOM_AUDIENCE_EXPANDED: 'CUSTOM_AUDIENCE',
};

/** An audience and its lookalike cannot be combined. */
function checkAudiences(terms: CriterionTerms, { targeting }: CriterionState): Issue<'INVALID_PARAMETER'>[] {
  const other = audienceKinds[terms.targeting_type];
  if (other === undefined) return [];
  const both = [...targeting.ofType(other)].some(({ targeting_value }) => targeting_value === terms.targeting_value);
  return both ? [wrongValue(terms, `The line item targets this audience as ${other}; delete that first`)] : [];
}

/** Devices narrow down a platform; beside the whole platform they would have no effect. */
function checkDevices(terms: CriterionTerms, { targeting }: CriterionState): Issue<'INVALID_PARAMETER'>[] {
  const { targeting_type, targeting_value, operator_type } = terms;
  if (operator_type !== 'EQ') return [];
  if (targeting_type === 'PLATFORM' && targeting.devicePlatforms().has(targeting_value)) {
    return [wrongValue(terms, 'The line item targets devices of this platform; the platform as a whole is broader')];
  }
  const device = targeting_type === 'DEVICE' ? devices.find(targeting_value) : undefined;
  if (device && targeting.values('PLATFORM').includes(platformOfDevice(device))) {
    return [wrongValue(terms, `The line item targets all devices with ${device.os_type}; delete that PLATFORM first`)];
  }
  return [];
}

/** Curated and content categories exclude each other. */
function checkCategories(
  terms: CriterionTerms,
  { line_item, has_curated_category }: CriterionState,
): Issue<'INCOMPATIBLE_LINE_ITEM'>[] {
  if (terms.targeting_type !== 'IAB_CATEGORY' || !has_curated_category) return [];
  const message = 'A line item has a curated category or content categories; delete its curated category first';
  return [{ error: 'INCOMPATIBLE_LINE_ITEM', parameter: 'line_item_id', value: line_item.id, message }];
}

/** An issue of the criteria of a line item taken together. */
export type TargetingIssue = Issue<
  'INCLUSIVE_PARAMETERS' | 'INVALID_PARAMETER' | 'INVALID_TV_SHOW_LOCATIONS' | 'TV_SHOW_OUTSIDE_MARKET'
>;

/** An error of the criteria of a line item taken together, and the type that it concerns. */
export interface TargetingFault {
  readonly targeting_type: TargetingType;
  /** The value, if the error concerns a single one. */
  readonly targeting_value?: string;
  readonly issue: TargetingIssue;
}

/**
 * Checks the criteria of a line item taken together, in their state after a call: within a batch the order does not matter.
 */
export function checkTargeting(targeting: LineItemTargeting): TargetingFault[] {
  return [...checkContentCategories(targeting), ...checkTvShows(targeting), ...checkEngagement(targeting)];
}

/** IAB categories are targeted as complete content categories (specification C, content categories). */
function checkContentCategories(targeting: LineItemTargeting): TargetingFault[] {
  const targeted = new Set(targeting.values('IAB_CATEGORY'));
  if (targeted.size === 0) return [];
  const whole = contentCategories.filter(({ iab_categories }) => iab_categories.every((id) => targeted.has(id)));
  const covered = new Set(whole.flatMap(({ iab_categories }) => iab_categories));
  return [...targeted]
    .filter((id) => !covered.has(id))
    .map((targeting_value) => {
      const terms = { targeting_type: 'IAB_CATEGORY', operator_type: 'EQ', targeting_value } as const;
      return { ...terms, issue: wrongValue(terms, incompleteness(targeting_value, targeted)) };
    });
}

function incompleteness(id: string, targeted: ReadonlySet<string>): string {
  const category = contentCategories.find(({ iab_categories }) => iab_categories.includes(id));
  if (!category) return `Expected an IAB category of GET content_categories, got "${id}" for targeting_value`;
  const missing = category.iab_categories.filter((other) => !targeted.has(other));
  return `Expected all IAB categories of content category "${category.name}" in one batch, or none; ${missing.join(', ')} would be missing`;
}

/** A show needs a location in one of its markets. */
function checkTvShows(targeting: LineItemTargeting): TargetingFault[] {
  if (!targeting.has('TV_SHOW')) return [];
  const countries = targeting.countries();
  return targeting.values('TV_SHOW').flatMap((targeting_value): TargetingFault[] => {
    const markets = [...new Set((tvShows.find(targeting_value)?.locales ?? []).map(countryOfLocale))];
    if (markets.some((country) => countries.has(country))) return [];
    const error = countries.size === 0 ? 'INVALID_TV_SHOW_LOCATIONS' : 'TV_SHOW_OUTSIDE_MARKET';
    const message = `A line item that targets this TV show needs a LOCATION in ${markets.join(' or ')}`;
    const issue: TargetingIssue = { error, parameter: 'targeting_value', value: targeting_value, message };
    return [{ targeting_type: 'TV_SHOW', targeting_value, issue }];
  });
}

/**
 * A kind of engagement needs an entity that people engaged with. It may be created first and alone, since one of the two has
 * to be (our choice).
 */
function checkEngagement(targeting: LineItemTargeting): TargetingFault[] {
  if (!targeting.has('ENGAGEMENT_TYPE') || targeting.has(...engagers)) return [];
  const message = `ENGAGEMENT_TYPE needs a criterion of type ${engagers.join(', ')} on the line item`;
  const issue: TargetingIssue = {
    error: 'INCLUSIVE_PARAMETERS',
    parameter: 'targeting_type',
    value: 'ENGAGEMENT_TYPE',
    message,
  };
  return [{ targeting_type: 'ENGAGEMENT_TYPE', issue }];
}

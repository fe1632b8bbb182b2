/** The criteria of one line item, indexed so that rules stay fast with thousands of them. */
import { devices, platformOfDevice } from '../../data/targeting/devices.ts';
import { locations } from '../../data/targeting/locations.ts';
import type { TargetingType } from './entity.ts';
import { type LimitGroup, targetingTypeFacts } from './types.ts';
import type { CriterionTerms } from './values.ts';

/** The number of criteria of a group that a line item has. */
interface GroupCount {
  readonly group: LimitGroup;
  readonly count: number;
}

/** The criteria of a line item that are not deleted. Kept up to date with the changes of a call. */
export class LineItemTargeting<Criterion extends CriterionTerms = CriterionTerms> {
  readonly #byTerms = new Map<string, Criterion>();
  readonly #byType = new Map<TargetingType, Set<Criterion>>();
  /** Criteria that were counted and not given. */
  readonly #others: GroupCount | undefined;

  /**
   * @param criteria all of them, or those that the rules look at in a call
   * @param counted where they are not all: how many a group has, those that are given among them
   */
  constructor(criteria: Iterable<Criterion> = [], counted?: GroupCount) {
    for (const criterion of criteria) this.add(criterion);
    this.#others = counted && { ...counted, count: counted.count - this.countOf(counted.group) };
  }

  /** Adds a criterion, which replaces one with the same terms: those that were read twice are counted once. */
  add(criterion: Criterion): void {
    this.remove(criterion);
    this.#byTerms.set(keyOf(criterion), criterion);
    const others = this.#byType.get(criterion.targeting_type) ?? new Set();
    this.#byType.set(criterion.targeting_type, others.add(criterion));
  }

  remove(terms: CriterionTerms): void {
    const criterion = this.find(terms);
    if (!criterion) return;
    this.#byTerms.delete(keyOf(terms));
    this.#byType.get(terms.targeting_type)?.delete(criterion);
  }

  /** Returns the criterion with the same type, operator and value. */
  find(terms: CriterionTerms): Criterion | undefined {
    return this.#byTerms.get(keyOf(terms));
  }

  /** Returns the criteria of a type. */
  ofType(type: TargetingType): Iterable<Criterion> {
    return this.#byType.get(type) ?? [];
  }

  /** Reports whether there is a criterion of one of these types. */
  has(...types: readonly TargetingType[]): boolean {
    return types.some((type) => this.count(type) > 0);
  }

  count(type: TargetingType): number {
    return this.#byType.get(type)?.size ?? 0;
  }

  /** Returns the number of criteria that count against one limit. */
  countOf(group: LimitGroup): number {
    let count = this.#others?.group === group ? this.#others.count : 0;
    for (const [type, criteria] of this.#byType) if (targetingTypeFacts[type].group === group) count += criteria.size;
    return count;
  }

  /** Returns the values of a type that are targeted, as opposed to excluded. */
  values(type: TargetingType): string[] {
    return [...this.ofType(type)].flatMap(({ operator_type, targeting_value }) =>
      operator_type === 'EQ' ? [targeting_value] : [],
    );
  }

  /** Returns the countries that the line item targets in whole or in part. */
  countries(): ReadonlySet<string> {
    return new Set(this.values('LOCATION').flatMap((value) => locations.find(value)?.country_code ?? []));
  }

  /** Returns the platforms of the devices that the line item targets. */
  devicePlatforms(): ReadonlySet<string> {
    return new Set(
      this.values('DEVICE').flatMap((value) => {
        const device = devices.find(value);
        return device ? [platformOfDevice(device)] : [];
      }),
    );
  }
}

function keyOf({ targeting_type, operator_type, targeting_value }: CriterionTerms): string {
  return `${targeting_type} ${operator_type} ${targeting_value}`;
}

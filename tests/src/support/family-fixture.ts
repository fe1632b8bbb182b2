/**
 * The facts about one family that the tests of all families need. `tests/src/fixtures/<family>.ts` exports them as `fixture`;
 * a family without any has no such file.
 */
import type { ErrorName, Operation } from '@broadside/core';
import type { TestWorld } from '@broadside/testkit';
import type { CallParams } from './call.ts';
import type { Stage } from './scenario.ts';
import type { AccountFixture, BaseFixture } from './world.ts';

/**
 * Brings an error about.
 * @returns the parameters with which a call of the operation causes it; those of a batch are of an item
 */
export type Provoke = (
  world: TestWorld,
  fixture: AccountFixture,
  operation: Operation,
) => Promise<CallParams> | CallParams;

/** Provocations of errors, by their names. */
export type Provocations = Readonly<Partial<Record<ErrorName, Provoke>>>;

export interface FamilyFixture {
  /**
   * Makes what the operations need beyond a campaign with a line item. A member of the result replaces the parameter of its
   * name in the examples of the family.
   */
  readonly create?: (
    world: TestWorld,
    base: BaseFixture,
    environment: 'production' | 'sandbox',
  ) => Promise<Readonly<Record<string, unknown>>>;
  /** Operations that are called without it: they make what an account has at most one of. */
  readonly bare?: readonly string[];
  /**
   * Fills the list with at least four entities whose values differ in each sortable attribute, two of them of the same time.
   * @returns the parameters that the list requires
   */
  readonly spread?: (stage: Stage) => Promise<CallParams>;
  /** Brings about errors that come from entities of this family, at whatever operation lists them. */
  readonly provoke?: Provocations;
  /** Brings about errors of one operation, by its id, in another way than elsewhere. */
  readonly provokeAt?: Readonly<Record<string, Provocations>>;
  /** Errors that an operation lists for a rule that it shares, although its own parameters cannot meet them. */
  readonly outOfReach?: Readonly<Record<string, readonly ErrorName[]>>;
  /**
   * Operations that create posts in the name of the advertiser, for which others than the advertiser need POST_COMPOSER beside
   * another permission.
   */
  readonly composes?: readonly string[];
  /** Parameters with ids of the platform, which every account may name. */
  readonly platformIds?: readonly string[];
}

import { BatchError, type Contract, type ErrorName, type Issue, type ParamsOf, type Reject } from '@broadside/core';
import { locations } from '@broadside/core/data';
import type {
  CriterionIssue,
  CriterionReadingIssue,
  TargetingCriterion,
  TargetingCriterionCreate,
} from '@broadside/core/resources/targeting-criteria';
import { checkCriterion, readCriterion, type TargetingFault } from '@broadside/core/resources/targeting-criteria';
import { chain } from '../../awaitable.ts';
import { mapPage } from '../../db/page.ts';
import { runItems } from '../../pipeline/batch.ts';
import type { HandlersOf } from '../../pipeline/context.ts';
import type { AccountWriter } from '../../world/account-store.ts';
import { ShownRows } from '../../world/shown-rows.ts';
import { checkLanguage, localizedName } from '../targeting-options/find.ts';
import { type TargetingCriterionRow, targetingCriterion } from './entity.ts';
import { LineItemStates } from './line-item-states.ts';
import { findFacts, findUsers, type NamedUsers } from './value-facts.ts';

type Operations = Contract['targeting_criteria'];
type BatchItem = ParamsOf<Operations['batch']>['operations'][number];

const shown = new ShownRows<TargetingCriterionRow, TargetingCriterion>();

/** Returns the criterion as callers see it. */
function show(row: TargetingCriterionRow, lang?: string): TargetingCriterion {
  return shown.show(row, [lang], () => display(row, lang));
}

function display(row: TargetingCriterionRow, lang: string | undefined): TargetingCriterion {
  const place = row.targeting_type === 'LOCATION' ? locations.find(row.targeting_value) : undefined;
  return {
    ...row,
    ...(place ? { location_type: place.location_type } : {}),
    ...(lang === undefined ? {} : localizedName(row, lang)),
  };
}

/** Errors of creating a criterion. */
type CreationError = CriterionIssue['error'] | CriterionReadingIssue['error'] | 'LINE_ITEM_NOT_FOUND';

/** Changes the targeting of line items within a transaction. */
class Targeting {
  readonly states: LineItemStates;
  readonly #account: AccountWriter;
  readonly #users: NamedUsers;
  readonly #in_batch: boolean;

  constructor(account: AccountWriter, users: NamedUsers, in_batch: boolean) {
    this.states = new LineItemStates(account, in_batch ? 'several' : 'one');
    this.#account = account;
    this.#users = users;
    this.#in_batch = in_batch;
  }

  /** Leaves a criterion that already exists unchanged (our choice, after the rule for promoted accounts). */
  async create(reject: Reject<CreationError>, params: TargetingCriterionCreate): Promise<TargetingCriterionRow> {
    const state = await this.states.of(reject, params);
    const existing = state.targeting.find(params);
    if (existing) return existing;
    const { name, issues } = readCriterion(params, await findFacts(this.#account, params, this.#users));
    reject.check([...issues, ...checkCriterion(params, { ...state, in_batch: this.#in_batch })]);
    const { line_item_id, targeting_type, targeting_value, operator_type } = params;
    const row = await this.#account.of(targetingCriterion).insert({
      line_item_id,
      name,
      targeting_type,
      targeting_value,
      operator_type,
      automatic: false,
    });
    state.targeting.add(row);
    return row;
  }

  async remove(reject: Reject<'TARGETING_CRITERION_NOT_FOUND'>, id: string): Promise<TargetingCriterionRow> {
    const row = await this.#account.of(targetingCriterion).find(reject, id);
    const { targeting } = await this.states.ofStored(row);
    targeting.remove(row);
    return this.#account.of(targetingCriterion).delete(row);
  }

  run(
    reject: Reject<CreationError | 'TARGETING_CRITERION_NOT_FOUND'>,
    item: BatchItem,
  ): Promise<TargetingCriterionRow> {
    return item.operation_type === 'Create'
      ? this.create(reject, item.params)
      : this.remove(reject, item.params.targeting_criterion_id);
  }
}

/** Returns an error as an error of the deletion that caused it. */
function asDeletion<Name extends ErrorName>(issue: Issue<Name>, id: string): Issue<Name> {
  return { ...issue, parameter: 'targeting_criterion_id', value: id };
}

type TargetingError = TargetingFault & { readonly line_item_id: string };

/**
 * Returns the index of the batch item that caused an error: the last one that creates the criterion concerned, or else the
 * last one that deletes from the line item.
 */
function placeOf(error: TargetingError, items: readonly BatchItem[], rows: readonly TargetingCriterionRow[]): number {
  const last = (blames: (row: TargetingCriterionRow, item: BatchItem) => boolean) =>
    items.findLastIndex((item, i) => {
      const row = rows[i];
      return row?.line_item_id === error.line_item_id && blames(row, item);
    });
  const created = last(
    ({ targeting_type, targeting_value }, { operation_type }) =>
      operation_type === 'Create' &&
      targeting_type === error.targeting_type &&
      (error.targeting_value === undefined || targeting_value === error.targeting_value),
  );
  return created >= 0 ? created : last((_row, { operation_type }) => operation_type === 'Delete');
}

/** Rejects a batch after which criteria are incompatible. */
function rejectErrors(
  errors: readonly TargetingError[],
  items: readonly BatchItem[],
  rows: readonly TargetingCriterionRow[],
): void {
  if (errors.length === 0) return;
  const issues = items.map((): Issue[] => []);
  for (const error of errors) {
    const place = placeOf(error, items, rows);
    const item = items[place];
    if (!item) throw new TypeError('an error that the batch did not bring about');
    const { issue } = error;
    const reported = item.operation_type === 'Delete' ? asDeletion(issue, item.params.targeting_criterion_id) : issue;
    issues[place]?.push(reported);
  }
  throw new BatchError(issues);
}

export const handlers: HandlersOf<Operations> = {
  list({ account, reject }, { lang, ...params }) {
    checkLanguage(reject, lang);
    return chain(account.of(targetingCriterion).list(params), (page) => mapPage(page, (row) => show(row, lang)));
  },

  get({ account, reject }, { targeting_criterion_id, lang, with_deleted }) {
    checkLanguage(reject, lang);
    const found = account.of(targetingCriterion).find(reject, targeting_criterion_id, with_deleted);
    return chain(found, (row) => show(row, lang));
  },

  async create(context, params) {
    const { account, actor } = context;
    const users = await findUsers(context, [params]);
    return account.write(actor, async (writer) => {
      const targeting = new Targeting(writer, users, false);
      const row = await targeting.create(context.reject, params);
      context.reject.check(targeting.states.errors().map(({ issue }) => issue));
      return show(row);
    });
  },

  async batch(context, { operations }) {
    const { account, actor } = context;
    const created = operations.flatMap((item) => (item.operation_type === 'Create' ? item.params : []));
    const users = await findUsers(context, created);
    return account.write(actor, async (writer) => {
      const targeting = new Targeting(writer, users, true);
      const rows = await runItems(operations, (item) => targeting.run(context.reject, item));
      rejectErrors(targeting.states.errors(), operations, rows);
      return rows.map((row) => show(row));
    });
  },

  delete({ account, actor, reject }, { targeting_criterion_id }) {
    return account.write(actor, async (writer) => {
      const targeting = new Targeting(writer, new Map(), false);
      const row = await targeting.remove(reject, targeting_criterion_id);
      reject.check(targeting.states.errors().map(({ issue }) => asDeletion(issue, targeting_criterion_id)));
      return show(row);
    });
  },
};

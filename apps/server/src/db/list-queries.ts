/**
 * Pages and counts of account data that do not depend on how much of it there is: see ADR 0018. A page is read in the order of
 * an index; where filters leave out most rows, those that an index finds by a filter are sorted, if they are few.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CursorValue } from '@broadside/core';
import type { SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import QuickLRU from 'quick-lru';
import { type Awaitable, chain } from '../awaitable.ts';
import { type Compiled, compile } from './compile.ts';
import type { Arg, Reader, Row, Value } from './database.ts';
import type { EntityTable } from './entity-table.ts';
import type { Condition } from './filters.ts';
import { cursorArgument, lowest, type Order } from './keyset.ts';
import { ListClasses } from './list-class.ts';
import {
  formOfCursor,
  LIMIT,
  type ListCondition,
  ListStatements,
  onlyValue,
  type PageForm,
  SIZE,
} from './list-statements.ts';

/** How much work a statement does. */
export interface ListBounds {
  /** Up to how many rows are sorted without trying the order first. */
  readonly few: number;
  /** How many rows one statement passes over at most; it holds the process while it runs. */
  readonly portion: number;
}

const BOUNDS: ListBounds = { few: 1024, portion: 4096 };
/** Number of forms of statements that are kept; temporarily up to twice as many. */
const MAX_FORMS = 500;

/** What a list is asked for. */
export interface ListAsked {
  readonly reader: Reader;
  readonly scope: string;
  /** Its parameters by their names. */
  readonly params: object;
}

/** What a page is asked for. */
export interface PageAsked extends ListAsked {
  readonly order: Order;
  /** The values of the cursor; none on the first page. */
  readonly after: readonly CursorValue[];
  /** The most rows that it has. */
  readonly limit: number;
}

/** Where a page begins in an order, and the most rows that it has. */
type Position = Pick<PageAsked, 'order' | 'after' | 'limit'>;

/** A request as statements see it. */
interface Request {
  readonly reader: Reader;
  readonly form: Omit<PageForm, 'order' | 'after'>;
  /** Names the classes and conditions. */
  readonly name: string;
  readonly args: Readonly<Record<string, Arg>>;
}

export class ListQueries {
  readonly #table: EntityTable;
  readonly #given: Readonly<Record<string, Condition<never>>>;
  readonly #statements: ListStatements;
  readonly #classes: ListClasses;
  readonly #conditions: readonly (readonly [name: string, condition: Condition<never>])[];
  readonly #drafts: string | undefined;
  readonly #bounds: ListBounds;
  readonly #compiled = new QuickLRU<string, Compiled>({ maxSize: MAX_FORMS });

  /** @param conditions those of the filters of the entity, by their parameters */
  constructor(
    table: EntityTable,
    columns: readonly SQLiteColumn[],
    conditions: Readonly<Record<string, Condition<never>>>,
    bounds = BOUNDS,
  ) {
    this.#table = table;
    this.#given = conditions;
    this.#bounds = bounds;
    const all = Object.entries(conditions);
    this.#drafts = all.find(([, { by }]) => by?.way === 'drafts')?.[0];
    this.#conditions = all.filter(([name]) => name !== this.#drafts);
    this.#classes = new ListClasses(table, this.#drafts !== undefined);
    this.#statements = new ListStatements(table, columns, this.#classes);
  }

  /** The same lists, of other columns of their rows: those of the order are among them. Not for filtered ones. */
  of(columns: readonly SQLiteColumn[]): ListQueries {
    const distinct = [...new Set(columns)];
    return new ListQueries(this.#table, distinct, this.#given, this.#bounds);
  }

  /** Returns whether parameters ask for rows that fulfil conditions, other than to be drafts or deleted or not. */
  isFiltered(params: object): boolean {
    const given: Readonly<Record<string, never>> = { ...params };
    return this.#conditions.some(([name, condition]) => given[name] !== undefined && condition.applies(given[name]));
  }

  /** The rows of a page, in its order. */
  page({ order, after, limit, ...asked }: PageAsked): Awaitable<readonly Row[]> {
    const request = this.#request(asked, { [LIMIT]: BigInt(limit), ...argumentsOf(after) });
    const { conditions } = request.form;
    const unique = conditions.find(({ column }) => this.#statements.isUnique(column));
    const page = { ...request.form, order, after };
    const name = `${order.name} ${formOfCursor(order, after)}`;
    if (unique) return this.#read(request, `ids ${name}`, () => this.#statements.sorted(page, unique));
    const [first, ...others] = conditions;
    if (!first) return this.#read(request, `ordered ${name}`, () => this.#statements.ordered(page));
    if (others.length === 0 && this.#statements.isInOrder(order) && this.#statements.leads(first)) {
      if (first.kind === 'one') {
        return this.#read(request, `ordered ${name}`, () => this.#statements.ordered(page, first));
      }
      if (first.kind === 'several') {
        return this.#read(request, `merged ${name}`, () => this.#statements.merged(page, first));
      }
    }
    const lead = conditions.find((condition) => this.#statements.leads(condition));
    if (lead && !this.#statements.hasIndex(order)) {
      return this.#read(request, `sorted ${lead.name} ${name}`, () => this.#statements.sorted(page, lead));
    }
    return this.#search(request, { order, after, limit }, this.#bounds.few);
  }

  /** All rows, in the order. */
  every(asked: ListAsked, order: Order): Awaitable<readonly Row[]> {
    const request = this.#request(asked, {});
    const page = { ...request.form, order, after: [] };
    const { conditions } = request.form;
    const by =
      conditions.find(({ column }) => this.#statements.isUnique(column)) ??
      conditions.find((condition) => this.#statements.leads(condition));
    return by
      ? this.#read(request, `every ${order.name}`, () => this.#statements.sorted(page, by, false))
      : this.#read(request, `every ${order.name}`, () => this.#statements.all(page));
  }

  /**
   * The number of rows on all pages. Where it is not kept, and no index finds a few rows by one of the conditions, all rows are
   * passed over, in portions. @param order the default one
   */
  count(asked: ListAsked, order: Order): Awaitable<number> {
    const request = this.#request(asked, {});
    const { classes, conditions } = request.form;
    const by = conditions.find(({ column }) => this.#statements.isUnique(column));
    if (this.#statements.isCounted(conditions)) {
      return this.#number(request, 'kept', () => this.#statements.keptCount(classes, conditions[0]));
    }
    const leads = conditions.filter((condition) => this.#statements.leads(condition));
    if (by || !this.#statements.hasIndex(order)) {
      return this.#number(request, 'count', () => this.#whole(request, by ?? leads[0]));
    }
    const tryLead = (index: number): Awaitable<number> => {
      const lead = leads[index];
      if (!lead) return this.#countAlong(request, order, []);
      return chain(this.#countUpTo(request, lead, this.#bounds.few + 1), (found) =>
        found > this.#bounds.few
          ? tryLead(index + 1)
          : this.#number(request, `count ${lead.name}`, () => this.#whole(request, lead)),
      );
    };
    return tryLead(0);
  }

  #whole({ form: { classes, conditions } }: Request, by: ListCondition | undefined): SQL {
    return this.#statements.count(classes, conditions, by, false);
  }

  /** Counts the rows after a position of an order, in portions. */
  async #countAlong(
    { reader, form, name, args }: Request,
    order: Order,
    start: readonly CursorValue[],
  ): Promise<number> {
    const size = this.#bounds.portion;
    let total = 0;
    for (let after: readonly CursorValue[] | undefined = start; after; await nextTurn()) {
      const page: PageForm = { ...form, order, after };
      const text = `${order.name} ${formOfCursor(order, after)}`;
      const at = (rows: number) => ({
        reader,
        form,
        name,
        args: { ...args, ...argumentsOf(page.after), [SIZE]: BigInt(rows) },
      });
      total += await this.#number(at(size), `count portion ${text}`, () => this.#statements.countOfPortion(page));
      const [end] = await this.#read(at(size - 1), `end ${text}`, () => this.#statements.endOfPortion(page));
      after = end && order.keys.map(({ column }, place) => cursorValue(column, end[place]));
    }
    return total;
  }

  /**
   * A page of the rows that fulfil conditions: those that an index finds by one of them are sorted if they are few, otherwise
   * the order is followed past as many rows. Whichever way ends first has cost about as much as the other would have.
   */
  #search(request: Request, { order, after, limit }: Position, few: number): Awaitable<readonly Row[]> {
    const leads = request.form.conditions.filter((condition) => this.#statements.leads(condition));
    const tryLead = (index: number): Awaitable<readonly Row[]> => {
      const by = leads[index];
      if (!by) return this.#follow(request, { order, after, limit }, few);
      return chain(this.#countUpTo(request, by, few + 1), (found) => {
        if (found > few) return tryLead(index + 1);
        const name = `sorted ${by.name} ${order.name} ${formOfCursor(order, after)}`;
        const page = { ...request.form, order, after };
        return this.#read(request, name, () => this.#statements.sorted(page, by));
      });
    };
    return tryLead(0);
  }

  /** Follows the order past up to four times as many rows as are sorted, in portions. */
  #follow(request: Request, position: Position, few: number): Awaitable<readonly Row[]> {
    const { reader, form, name, args } = request;
    const { order, limit } = position;
    const walk = (after: readonly CursorValue[], found: readonly Row[], passed: number): Awaitable<readonly Row[]> => {
      const size = Math.min(this.#bounds.portion, 4 * few - passed);
      const own = {
        reader,
        form,
        name,
        args: { ...args, ...argumentsOf(after), [LIMIT]: BigInt(limit - found.length), [SIZE]: BigInt(size) },
      };
      const page = { ...form, order, after };
      const text = `${order.name} ${formOfCursor(order, after)}`;
      return chain(
        this.#read(own, `portion ${text}`, () => this.#statements.portion(page)),
        (more) => {
          const all = found.length === 0 ? more : [...found, ...more];
          if (all.length >= limit) return all;
          const last = { ...own, args: { ...own.args, [SIZE]: BigInt(size - 1) } };
          return chain(
            this.#read(last, `end ${text}`, () => this.#statements.endOfPortion(page)),
            ([end]) => {
              if (!end) return all;
              const next = order.keys.map(({ column }, place) => cursorValue(column, end[place]));
              if (passed + size < 4 * few) return chain(nextTurn(), () => walk(next, all, passed + size));
              return chain(nextTurn(), () => {
                const rest = { order, after: next, limit: limit - all.length };
                const continued = {
                  reader,
                  form,
                  name,
                  args: { ...args, ...argumentsOf(next), [LIMIT]: BigInt(rest.limit) },
                };
                return chain(this.#search(continued, rest, 4 * few), (further) => [...all, ...further]);
              });
            },
          );
        },
      );
    };
    return walk(position.after, [], 0);
  }

  #countUpTo(request: Request, by: ListCondition, most: number): Awaitable<number> {
    const { classes, conditions } = request.form;
    const bounded = { ...request, args: { ...request.args, [LIMIT]: BigInt(most) } };
    return this.#number(bounded, `look ${by.name}`, () => this.#statements.count(classes, conditions, by, true));
  }

  #request({ reader, scope, params }: ListAsked, further: Readonly<Record<string, Arg>>): Request {
    const given: Readonly<Record<string, never>> = { ...params };
    const args: Record<string, Arg> = { scope, ...further };
    const conditions: ListCondition[] = [];
    for (const [name, condition] of this.#conditions) {
      const value = given[name];
      if (value === undefined || !condition.applies(value)) continue;
      Object.assign(args, condition.bind(value));
      const { by, where } = condition;
      const [only, ...others] = condition.values?.(value) ?? [];
      const kind =
        by?.way === 'values'
          ? only !== undefined && others.length === 0
            ? 'one'
            : 'several'
          : by?.way === 'prefix'
            ? 'prefix'
            : 'other';
      if (kind === 'one' && only !== undefined) args[onlyValue(name)] = only;
      conditions.push({ name, where, column: by?.column, kind });
    }
    const deleted = given['with_deleted'] === true;
    const drafts = this.#drafts !== undefined && given[this.#drafts] === true;
    const classes = this.#classes.shown({ deleted, drafts });
    const name = `${classes.join()} ${conditions.map((one) => `${one.name} ${one.kind}`).join()}`;
    return { reader, form: { classes, conditions }, name, args };
  }

  #read({ reader, name, args }: Request, way: string, make: () => SQL): Awaitable<readonly Row[]> {
    const { text, places } = this.#keep(`${way} ${name}`, make);
    return reader.read(
      text,
      places.map((place) => args[place] ?? null),
    );
  }

  #number(request: Request, way: string, make: () => SQL): Awaitable<number> {
    return chain(this.#read(request, way, make), ([row]) => Number(row?.[0] ?? 0));
  }

  #keep(form: string, make: () => SQL): Compiled {
    const known = this.#compiled.get(form);
    if (known) return known;
    const made = compile(make());
    this.#compiled.set(form, made);
    return made;
  }
}

/** The arguments for the values of a cursor. */
function argumentsOf(after: readonly CursorValue[]): Record<string, Arg> {
  return Object.fromEntries(after.map((value, place) => [cursorArgument(place), value]));
}

/** A cell as a cursor holds it. */
function cursorValue(column: SQLiteColumn, cell: Value | undefined): CursorValue {
  if (cell === null || cell === undefined) return lowest(column);
  return typeof cell === 'bigint' ? cell : String(cell);
}

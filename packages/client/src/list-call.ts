/** A call of a list: awaited it is the first page, iterated it is every entity. */
import type { Operation, Page } from '@broadside/core';
import type { Params } from './encode.ts';
import { BroadsideError, CallError } from './errors.ts';
import { memberSchema } from './schema.ts';

/** How far to go through a list. */
export interface ItemsOptions {
  /** Stop after this many. All of them when left out. */
  readonly limit?: number | undefined;
}

/**
 * The call of a list. Nothing is sent until it is awaited or iterated. Awaiting it again gives the same page; each
 * iteration starts at the first page anew.
 *
 * @example
 * const page = await client.campaigns.list({ account_id });
 * for await (const campaign of client.campaigns.list({ account_id })) console.log(campaign.name);
 */
export interface ListCall<Entity> extends PromiseLike<Page<Entity>>, AsyncIterable<Entity> {
  /** Each page as the server gives it. */
  pages(): AsyncIterable<Page<Entity>>;
  /** Each entity, across pages. No page is fetched that the limit does not need. */
  items(options?: ItemsOptions): AsyncIterable<Entity>;
  /** The first `count` entities: `items({ limit: count })`. */
  limit(count: number): AsyncIterable<Entity>;
}

/** Fetches the page that the parameters name. */
export type FetchPage = (params: Params) => Promise<Page<unknown>>;

/** {@link ListCall} over a function that fetches a page. */
export class PagedCall implements ListCall<unknown> {
  readonly #operation: Operation;
  readonly #params: Params;
  readonly #fetchPage: FetchPage;
  #first: Promise<Page<unknown>> | undefined;

  constructor(operation: Operation, params: Params, fetchPage: FetchPage) {
    this.#operation = operation;
    this.#params = params;
    this.#fetchPage = fetchPage;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` on a list is the promise of its first page
  then<Result = Page<unknown>, Failure = never>(
    onPage?: ((page: Page<unknown>) => Result | PromiseLike<Result>) | null,
    onFailure?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Result | Failure> {
    this.#first ??= this.#fetchPage(this.#params);
    return this.#first.then(onPage, onFailure);
  }

  [Symbol.asyncIterator](): AsyncIterator<unknown> {
    return this.items()[Symbol.asyncIterator]();
  }

  pages(): AsyncIterable<Page<unknown>> {
    return { [Symbol.asyncIterator]: () => this.#walk(Number.POSITIVE_INFINITY) };
  }

  items({ limit = Number.POSITIVE_INFINITY }: ItemsOptions = {}): AsyncIterable<unknown> {
    if (limit !== Number.POSITIVE_INFINITY && (!Number.isInteger(limit) || limit < 0)) {
      throw new CallError('limit must be a whole number, 0 or more', 'limit');
    }
    return { [Symbol.asyncIterator]: () => this.#entities(limit) };
  }

  limit(count: number): AsyncIterable<unknown> {
    return this.items({ limit: count });
  }

  async *#entities(limit: number): AsyncGenerator<unknown> {
    let left = limit;
    for await (const page of this.#walk(limit)) {
      for (const entity of page.data.slice(0, left)) yield entity;
      left -= page.data.length;
    }
  }

  async *#walk(limit: number): AsyncGenerator<Page<unknown>> {
    const size = this.#pageSize();
    let params = this.#params;
    let left = limit;
    while (left > 0) {
      // A page that would hold more than is wanted is asked for shorter.
      const page = await this.#fetchPage(size !== undefined && left < size ? { ...params, count: left } : params);
      yield page;
      left -= page.data.length;
      const { next_cursor } = page;
      if (next_cursor === null) return;
      if (next_cursor === params['cursor']) {
        throw new BroadsideError(`${this.#operation.id} gave the cursor of the page that it has just sent again.`);
      }
      params = { ...this.#withoutRivals(params, 'cursor'), cursor: next_cursor };
    }
  }

  /** How many entities a page holds; `undefined` when the operation has no such parameter. */
  #pageSize(): number | undefined {
    const schema = memberSchema(this.#operation.params, 'count');
    const read = schema?.safeParse(this.#params['count']);
    return read?.success && typeof read.data === 'number' ? read.data : undefined;
  }

  /** Parameters without those that the contract forbids beside `name`: only the first page counts all matches. */
  #withoutRivals(params: Params, name: string): Params {
    const rivals = (this.#operation.exclusive ?? []).flatMap(([one, other]) =>
      one === name ? [other] : other === name ? [one] : [],
    );
    return Object.fromEntries(Object.entries(params).filter(([key]) => !rivals.includes(key)));
  }
}

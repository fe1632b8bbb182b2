/** A call of a list: awaited it is the first page, iterated it is every entity. */
import type { Page } from '@broadside/core';
import type { ThinAdsOperation } from '@broadside/core/thin';
import type { Params } from './encode.ts';
import { BroadsideError, CallError } from './errors.ts';

/** Bounds of an iteration over a list. */
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
  readonly #operation: ThinAdsOperation;
  readonly #params: Params;
  readonly #fetchPage: FetchPage;
  #first: Promise<Page<unknown>> | undefined;

  constructor(operation: ThinAdsOperation, params: Params, fetchPage: FetchPage) {
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
      params = { ...this.#forLaterPages(params), cursor: next_cursor };
    }
  }

  /** The number of entities on a page; `undefined` when the list does not page, or `count` is not valid. */
  #pageSize(): number | undefined {
    const { count } = this.#operation.paging ?? {};
    if (!count) return undefined;
    const sent = this.#params['count'] ?? count.default;
    const size = typeof sent === 'string' && /^\d{1,15}$/.test(sent) ? Number(sent) : sent;
    return typeof size === 'number' && size >= count.min && size <= count.max ? size : undefined;
  }

  /** Parameters without those that the contract allows on the first page only. */
  #forLaterPages(params: Params): Params {
    const { firstPageOnly = [] } = this.#operation.paging ?? {};
    return Object.fromEntries(Object.entries(params).filter(([name]) => !firstPageOnly.includes(name)));
  }
}

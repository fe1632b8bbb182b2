/** Whole lists of an account, page by page. */
import { strict as assert } from 'node:assert';
import { member } from '../src/support/body.ts';
import type { Session } from './session.ts';

type Filter = Readonly<Record<string, string | boolean>>;

/** All records of a list. The total that the server tells must be their number. @throws AssertionError */
export async function listed(session: Session, name: string, filter: Filter): Promise<unknown[]> {
  const path = `/12/accounts/${session.account_id}/${name}`;
  const found: unknown[] = [];
  let cursor: unknown;
  do {
    const page = typeof cursor === 'string' ? { cursor } : {};
    const body = await session.ok({ path, query: { count: 200, ...filter, ...page } });
    const data = member(body, 'data');
    assert(Array.isArray(data));
    found.push(...data);
    cursor = member(body, 'next_cursor');
  } while (typeof cursor === 'string');
  return found;
}

/** Compares the total of a list with the number of its records. @throws AssertionError */
export async function checkTotal(session: Session, name: string, filter: Filter): Promise<void> {
  const records = await listed(session, name, filter);
  const path = `/12/accounts/${session.account_id}/${name}`;
  const body = await session.ok({ path, query: { count: 1, with_total_count: true, ...filter } });
  assert.equal(Number(member(body, 'total_count')), records.length, `the total of ${name} ${JSON.stringify(filter)}`);
}

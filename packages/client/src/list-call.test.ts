import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import { BroadsideError, CallError } from './errors.ts';
import { page } from './testing/campaign.ts';
import { credentials, fakeServer, only, rejection, type Sent, type Step } from './testing/fake-server.ts';

function setUp(...script: Step[]) {
  const { fetch, sent } = fakeServer(...script);
  const client = createClient(credentials, { fetch, retry: false });
  return { client, sent, list: client.campaigns.list({ account_id: 'abc1' }) };
}

async function idsOf(items: AsyncIterable<{ readonly id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

const queries = (sent: readonly Sent[]) => sent.map(({ query }) => Object.fromEntries(query));

test('awaited, a list is its first page', async () => {
  const { list, sent } = setUp(page(['a', 'b'], 'c1'));
  const first = await list;
  expect(first.data.map(({ id }) => id)).toEqual(['a', 'b']);
  expect(first.next_cursor).toBe('c1');
  expect(await list).toBe(first);
  expect(sent).toHaveLength(1);
});

test('nothing is sent before a list is awaited or iterated', async () => {
  const { list, sent } = setUp();
  list.pages();
  list.items();
  await Promise.resolve();
  expect(sent).toEqual([]);
});

test('iterated, a list is every entity of every page, even after an empty one', async () => {
  const { list, sent } = setUp(page(['a', 'b'], 'c1'), page([], 'c2'), page(['c'], null));
  expect(await idsOf(list)).toEqual(['a', 'b', 'c']);
  expect(queries(sent)).toEqual([{}, { cursor: 'c1' }, { cursor: 'c2' }]);
});

test('pages are yielded one by one', async () => {
  const { list } = setUp(page(['a'], 'c1'), page(['b'], null));
  const cursors: (string | null)[] = [];
  for await (const { next_cursor } of list.pages()) cursors.push(next_cursor);
  expect(cursors).toEqual(['c1', null]);
});

test('each iteration begins at the first page', async () => {
  const { list } = setUp(page(['a'], null), page(['a', 'new'], null));
  expect(await idsOf(list)).toEqual(['a']);
  expect(await idsOf(list)).toEqual(['a', 'new']);
});

test('a limit that ends with a page fetches no page after it', async () => {
  const { list, sent } = setUp(page(['a', 'b'], 'c1'));
  expect(await idsOf(list.limit(2))).toEqual(['a', 'b']);
  expect(sent).toHaveLength(1);
});

test('a limit within a page truncates it', async () => {
  const { list } = setUp(page(['a', 'b', 'c'], null));
  expect(await idsOf(list.items({ limit: 2 }))).toEqual(['a', 'b']);
});

test('a page is not requested with more than the remaining limit', async () => {
  const { client, sent } = setUp(page(['a', 'b'], 'c1'), page(['c'], 'c2'));
  expect(await idsOf(client.campaigns.list({ account_id: 'abc1', count: 2 }).limit(3))).toEqual(['a', 'b', 'c']);
  expect(queries(sent)).toEqual([{ count: '2' }, { count: '1', cursor: 'c1' }]);
});

test('a limit of 0 sends nothing, and an invalid one is rejected', async () => {
  const { list, sent } = setUp();
  expect(await idsOf(list.limit(0))).toEqual([]);
  for (const limit of [-1, 1.5, Number.NaN]) expect(() => list.limit(limit)).toThrow(CallError);
  expect(sent).toEqual([]);
});

test('leaving the loop stops the paging', async () => {
  const { list, sent } = setUp(page(['a', 'b'], 'c1'));
  for await (const { id } of list) if (id === 'b') break;
  expect(sent).toHaveLength(1);
});

test('later pages keep the filters and omit parameters that a cursor excludes', async () => {
  const { client, sent } = setUp(page(['a'], 'c1', { total_count: 2 }), page(['b'], null));
  const list = client.campaigns.list({ account_id: 'abc1', q: 'x', with_deleted: true, with_total_count: true });
  expect(await idsOf(list)).toEqual(['a', 'b']);
  expect(queries(sent)).toEqual([
    { q: 'x', with_deleted: 'true', with_total_count: 'true' },
    { q: 'x', with_deleted: 'true', cursor: 'c1' },
  ]);
});

test('a list can begin at a stored cursor', async () => {
  const { client, sent } = setUp(page(['b'], null));
  await idsOf(client.campaigns.list({ account_id: 'abc1', cursor: 'c1' }));
  expect(only(queries(sent))).toEqual({ cursor: 'c1' });
});

test('a server that repeats a cursor is detected', async () => {
  const { list } = setUp(page(['a'], 'c1'), page(['a'], 'c1'), page(['a'], 'c1'));
  const error = await rejection(BroadsideError, idsOf(list));
  expect(error.message).toContain('cursor');
});

test('a failed page ends the loop with its error', async () => {
  const { list } = setUp(page(['a'], 'c1'), new TypeError('fetch failed'));
  const seen: string[] = [];
  const error = await rejection(
    BroadsideError,
    (async () => {
      for await (const { id } of list) seen.push(id);
    })(),
  );
  expect(error.name).toBe('NetworkError');
  expect(seen).toEqual(['a']);
});

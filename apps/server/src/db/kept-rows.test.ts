import type { Page } from '@broadside/core';
import { describe, expect, it } from 'vitest';
import { Generations, listSlot, rowSlot, scopeSlot, tableSlot } from './generations.ts';
import { KeptRows, KeptTable } from './kept-rows.ts';

interface Bird {
  readonly id: string;
  readonly name: string;
}

/** A table of birds in one scope, of which the rows are counted that are read. */
function birds(options: { readonly bytes?: number; readonly freeze?: boolean } = {}) {
  const stored = new Map<string, Bird>();
  const generations = new Generations();
  const store = new KeptRows(generations, options);
  const table = new KeptTable<Bird>(store, { table: 'birds', keyOf: ({ id }) => id });
  const reads: string[] = [];
  const slots = (id: string) => [listSlot('birds', 's'), rowSlot('birds', 's', id)];
  const readRow = (id: string) => {
    reads.push(id);
    const row = stored.get(id);
    return row && { ...row };
  };
  const readPage = (): Page<Bird> => {
    reads.push('page');
    return { data: [...stored.values()].map((row) => ({ ...row })), next_cursor: null };
  };
  return {
    store,
    generations,
    table,
    reads,
    slots,
    write(id: string, name = id) {
      generations.begin(slots(id));
      stored.set(id, { id, name });
      generations.end(slots(id));
    },
    store_only: (id: string, name: string) => stored.set(id, { id, name }),
    get: (id: string) => table.scope('s').row(id, () => readRow(id)),
    getLater: (id: string) => table.scope('s').row(id, async () => readRow(id)),
    list: () => table.scope('s').page({ count: 10 }, readPage),
    /** @param between runs after the ids were read */
    listByIds: (between = () => {}) =>
      table.scope('s').page({ count: 10 }, readPage, () => ({
        ids: () => {
          reads.push('ids');
          const ids = [...stored.keys()];
          between();
          return { ids, isLast: true };
        },
        rows: (missing) => missing.flatMap((id) => readRow(id) ?? []),
        cursorAfter: () => '',
      })),
    listLater: () => table.scope('s').page({ count: 10 }, async () => readPage()),
  };
}

async function dataOf(page: ReturnType<ReturnType<typeof birds>['list']>): Promise<readonly Bird[]> {
  return (await page)?.data ?? [];
}

describe('a row', () => {
  it('is read once, and is the same object until it is written', () => {
    const { write, get, reads } = birds();
    write('wren');
    const first = get('wren');
    expect(get('wren')).toBe(first);
    write('owl');
    expect(get('wren')).toBe(first);
    write('wren', 'Wren');
    expect(get('wren')).toEqual({ id: 'wren', name: 'Wren' });
    expect(reads).toEqual(['wren', 'wren']);
  });

  it.each([
    ['table', tableSlot('birds')],
    ['scope', scopeSlot('birds', 's')],
  ])('is read again after a write to all of its %s', (_, slot) => {
    const { write, get, reads, generations } = birds();
    write('wren');
    void get('wren');
    generations.begin([slot]);
    generations.end([slot]);
    void get('wren');
    expect(reads).toHaveLength(2);
  });

  it('is not kept while a write of it is about to be committed, nor used', () => {
    const { write, get, reads, generations, slots, store_only } = birds();
    write('wren');
    void get('wren');
    generations.begin(slots('wren'));
    void get('wren');
    store_only('wren', 'Wren');
    expect(get('wren')).toEqual({ id: 'wren', name: 'Wren' });
    generations.end(slots('wren'));
    expect(get('wren')).toEqual({ id: 'wren', name: 'Wren' });
    void get('wren');
    expect(reads).toHaveLength(4);
  });

  it('that was written while it was read is not kept', async () => {
    const { write, getLater, get, reads } = birds();
    write('wren');
    const read = getLater('wren');
    write('wren', 'Wren');
    expect(await read).toEqual({ id: 'wren', name: 'wren' });
    expect(get('wren')).toEqual({ id: 'wren', name: 'Wren' });
    expect(reads).toHaveLength(2);
  });

  it('that is missing is looked for each time', () => {
    const { get, reads, store } = birds();
    expect([get('dodo'), get('dodo')]).toEqual([undefined, undefined]);
    expect(reads).toHaveLength(2);
    expect(store.recency.size).toBe(0);
  });

  it('is one object, however many read it at once', async () => {
    const { write, getLater, get } = birds();
    write('wren');
    const [one, other] = await Promise.all([getLater('wren'), getLater('wren')]);
    expect(other).toBe(one);
    expect(get('wren')).toBe(one);
  });

  it('can be frozen with all that is in it', () => {
    const { write, get } = birds({ freeze: true });
    write('wren');
    expect(Object.isFrozen(get('wren'))).toBe(true);
  });
});

describe('a page', () => {
  it('is read once, and gives the rows that are kept', async () => {
    const { write, get, list, reads } = birds();
    for (const id of ['wren', 'owl']) write(id);
    const wren = get('wren');
    const first = await dataOf(list());
    expect(first.map(({ id }) => id)).toEqual(['wren', 'owl']);
    expect(first[0]).toBe(wren);
    const second = await dataOf(list());
    expect(second.every((row, place) => row === first[place])).toBe(true);
    expect(get('owl')).toBe(first[1]);
    expect(reads).toEqual(['wren', 'page']);
  });

  it('is read again after a write of any row of its scope, and unchanged rows stay the same', async () => {
    const { write, list, reads } = birds();
    for (const id of ['wren', 'owl']) write(id);
    const before = await dataOf(list());
    write('owl', 'Owl');
    const after = await dataOf(list());
    expect(after).toEqual([
      { id: 'wren', name: 'wren' },
      { id: 'owl', name: 'Owl' },
    ]);
    expect(after[0]).toBe(before[0]);
    expect(reads).toEqual(['page', 'page']);
  });

  it('during whose read a row was written is not kept, and neither are its rows', async () => {
    const { write, list, listLater, get, reads } = birds();
    for (const id of ['wren', 'owl']) write(id);
    const read = listLater();
    write('owl', 'Owl');
    expect(await dataOf(read)).toContainEqual({ id: 'owl', name: 'owl' });
    expect(get('owl')).toEqual({ id: 'owl', name: 'Owl' });
    expect(await dataOf(list())).toContainEqual({ id: 'owl', name: 'Owl' });
    expect(reads).toEqual(['page', 'owl', 'page']);
  });

  it('is read again when one of its rows has had to make room', async () => {
    const { write, list, store, reads } = birds();
    for (const id of ['wren', 'owl']) write(id);
    await list();
    store.recency.removeOldest();
    expect(await dataOf(list())).toHaveLength(2);
    expect(reads).toEqual(['page', 'page']);
  });

  it('of which a few rows were written is read by ids, with those rows', async () => {
    const { write, list, listByIds, reads } = birds();
    for (const id of ['wren', 'owl', 'kite']) write(id);
    await list();
    write('owl', 'Owl');
    expect((await dataOf(listByIds())).map(({ name }) => name)).toEqual(['wren', 'Owl', 'kite']);
    expect((await dataOf(listByIds())).map(({ name }) => name)).toEqual(['wren', 'Owl', 'kite']);
    expect(reads).toEqual(['page', 'ids', 'owl']);
  });

  it('is read as a whole where few of its rows are kept, or something is written between ids and rows', async () => {
    const { write, list, listByIds, reads } = birds();
    for (const id of ['wren', 'owl', 'kite']) write(id);
    await list();
    for (const id of ['wren', 'owl']) write(id, 'changed');
    await listByIds();
    write('wren', 'Wren');
    const page = listByIds(() => write('kite', 'Kite'));
    expect((await dataOf(page)).map(({ name }) => name)).toEqual(['Wren', 'changed', 'Kite']);
    expect(reads).toEqual(['page', 'page', 'ids', 'wren', 'kite', 'page']);
  });

  it('with long parameters is not kept', () => {
    const { write, table, store } = birds();
    write('wren');
    const ids = Array.from({ length: 200 }, (_, n) => `${n}`.padStart(8, '0'));
    let read = 0;
    const page = () => {
      read++;
      return { data: [], next_cursor: null };
    };
    for (let time = 0; time < 2; time++) void table.scope('s').page({ ids }, page);
    expect([read, store.recency.size]).toEqual([2, 0]);
  });
});

describe('the bound', () => {
  it('holds whatever is read, and the rows that were used last stay', () => {
    const { write, get, store, reads } = birds({ bytes: 20_000 });
    for (let n = 0; n < 1000; n++) write(`${n}`);
    for (let n = 0; n < 1000; n++) {
      void get(`${n}`);
      void get('0');
      expect(store.recency.size).toBeLessThanOrEqual(20_000);
    }
    expect(reads.filter((id) => id === '0')).toHaveLength(1);
    void get('999');
    expect(reads.filter((id) => id === '999')).toHaveLength(1);
    void get('1');
    expect(reads.filter((id) => id === '1')).toHaveLength(2);
  });

  it('leaves nothing behind of scopes of which everything has made room', () => {
    const { store, table } = birds({ bytes: 3000 });
    const first = table.scope('0');
    for (let n = 0; n < 100; n++) void table.scope(`${n}`).row('x', () => ({ id: 'x', name: 'x' }));
    expect(table.scope('99').row('x', () => undefined)).toEqual({ id: 'x', name: 'x' });
    // One that is kept is found again; this is another one.
    expect(table.scope('0')).not.toBe(first);
    expect(store.recency.size).toBeLessThanOrEqual(3000);
  });
});

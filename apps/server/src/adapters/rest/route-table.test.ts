import { describe, expect, it } from 'vitest';
import { RouteTable } from './route-table.ts';

const table = new RouteTable<string>();
for (const path of [
  '/12/accounts/:account_id',
  '/12/accounts/:account_id/cards/all',
  '/12/accounts/:account_id/cards/:id',
]) {
  table.add(path, path);
}

describe('find and findDecoded', () => {
  it.each([
    ['/12/accounts/a', '/12/accounts/:account_id', { account_id: 'a' }],
    ['/12/accounts/a?b=/c', '/12/accounts/:account_id', { account_id: 'a' }],
    ['/12/accounts/a/cards/all', '/12/accounts/:account_id/cards/all', { account_id: 'a' }],
    ['/12/accounts/a/cards/b', '/12/accounts/:account_id/cards/:id', { account_id: 'a', id: 'b' }],
  ])('find %s', (target, route, path) => {
    expect(table.find(target)).toEqual({ route, path });
    expect(table.findDecoded(target)).toEqual({ route, path });
  });

  it.each(['/12/accounts', '/12/accounts/', '/12/accounts//cards/all', '/12/accounts/a/', '12/accounts/a', '*', ''])(
    'find nothing at %j',
    (target) => {
      expect(table.find(target)).toBeUndefined();
      expect(table.findDecoded(target)).toBeUndefined();
    },
  );
});

describe('findDecoded', () => {
  it.each([
    ['/12/acc%6Funts/a%20b', { account_id: 'a b' }],
    ['/12/accounts/a%2Fb', { account_id: 'a/b' }],
    ['http://127.0.0.1:8081/12/accounts/%C3%A9#here', { account_id: 'é' }],
  ])('decodes %s, which find leaves alone', (target, path) => {
    expect(table.findDecoded(target)?.path).toEqual(path);
    expect(table.find(target)).toBeUndefined();
  });

  it.each(['/12/accounts/%', '/12/accounts/%C3', `/12/accounts/${'a'.repeat(501)}`])(
    'finds nothing at %s',
    (target) => {
      expect(table.findDecoded(target)).toBeUndefined();
    },
  );
});

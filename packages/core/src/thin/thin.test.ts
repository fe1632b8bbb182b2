import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { allAuthOperations, allDataOperations, allOperations, allPages, allUploadOperations } from '../families.ts';
import { boolean, int, list, long, members, numericId, oneOf, text, time } from '../wire/types.ts';
import { thinAuth } from './auth.ts';
import { thin } from './contract.ts';
import { ShapeCollector } from './shapes.ts';
import { thinTransport } from './transport.ts';

const called = [...allOperations, ...allDataOperations, ...allUploadOperations];

function operation(id: string) {
  const found = thin.operations.find((one) => one.id === id);
  if (!found) throw new RangeError(`no ${id}`);
  return found;
}

describe('the thin contract', () => {
  test('has each operation that clients call, with its route', () => {
    expect(thin.operations.map(({ id, method, path }) => ({ id, method, path }))).toEqual(
      called.map(({ id, http: { method, path } }) => ({ id, method, path })),
    );
    expect(Object.keys(thinAuth.operations)).toEqual(allAuthOperations.map(({ id }) => id));
    expect(Object.keys(thinAuth.pages)).toEqual(allPages.map(({ id }) => id));
  });

  test('names resource and verb in each id, from which methods are derived', () => {
    expect(thin.operations.map(({ id }) => id).filter((id) => !/^\w+\.\w+$/.test(id))).toEqual([]);
  });

  test('has the facts that distinguish calls', () => {
    const campaign = operation('campaigns.get').data;
    expect(operation('campaigns.list')).toEqual({
      kind: 'ads',
      id: 'campaigns.list',
      method: 'GET',
      path: '/12/accounts/:account_id/campaigns',
      envelope: 'list',
      paging: { count: { min: 1, max: 1000, default: 200 }, firstPageOnly: ['with_total_count'] },
      data: campaign,
    });
    expect(operation('campaigns.batch')).toMatchObject({ envelope: 'batch', batch: true, data: campaign });
    expect(operation('campaigns.update').removable).toEqual([
      'daily_budget_amount_local_micro',
      'purchase_order_number',
      'total_budget_amount_local_micro',
    ]);
    expect(operation('accounts.create')).toMatchObject({ sandboxOnly: true });
    expect(operation('audience_estimate.create')).toMatchObject({ body: 'json' });
    expect(operation('features.list')).toMatchObject({ envelope: 'values', data: 'text' });
    expect(operation('media_v1.append')).toMatchObject({
      kind: 'upload',
      envelope: 'nothing',
      command: 'APPEND',
      part: 'media',
      repeatable: true,
    });
    expect(operation('media.status')).not.toHaveProperty('command');
    expect(thinTransport).toEqual({
      write_window_ms: 60_000,
      codes: {
        400: 'INVALID_PARAMETER',
        401: 'UNAUTHORIZED_ACCESS',
        403: 'UNAUTHORIZED_CLIENT_APPLICATION',
        404: 'ROUTE_NOT_FOUND',
        405: 'METHOD_NOT_ALLOWED',
        408: 'CANCELLED_REQUEST',
        413: 'REQUEST_TOO_LARGE',
        415: 'UNSUPPORTED_CONTENT_TYPE',
        429: 'TOO_MANY_REQUESTS',
      },
    });
  });

  test('has no texts', () => {
    const written = JSON.stringify([thin, thinAuth]);
    for (const { id, summary, description } of [...called, ...allAuthOperations]) {
      expect(written, id).not.toContain(summary);
      if (description !== undefined) expect(written, id).not.toContain(description);
    }
  });
});

describe('the type of a value', () => {
  const typeOf = (schema: z.ZodType) => new ShapeCollector().typeOf(schema, 'x.get: data');

  test.each<[string, z.ZodType, string]>([
    ['text', text(), 'text'],
    ['a word', oneOf(['A', 'B']), 'text'],
    ['a numeric id', numericId(), 'digits'],
    ['a value that may be missing', boolean().optional(), 'boolean?'],
    ['a value that may be null', long().nullable(), 'long|null'],
    ['a value that may be either', time().nullable().optional(), 'time|null?'],
    ['a list', list(oneOf(['A', 'B']), { max: 3 }), 'text*'],
    ['a list of lists', z.array(list(int(), { max: 3 })), 'int*[]'],
    ['any object', members(), 'members'],
    ['an array of objects that may be missing', z.array(z.object({ id: text() })).optional(), '0[]?'],
  ])('is a word for %s', (_, schema, word) => {
    expect(typeOf(schema)).toBe(word);
  });

  test('is the same for objects of equal members', () => {
    const collector = new ShapeCollector();
    const one = collector.typeOf(z.object({ at: time(), by: text().describe('Who.') }), 'x');
    const other = collector.typeOf(z.object({ at: time().describe('When.'), by: text({ max: 10 }) }), 'x');
    expect(collector.typeOf(z.object({ at: time() }), 'x')).not.toBe(one);
    expect(other).toBe(one);
    expect(collector.shapes).toEqual([{ at: 'time', by: 'text' }, { at: 'time' }]);
  });

  test('does not exist for a schema that clients could not read', () => {
    expect(() => typeOf(z.object({ id: z.string() }))).toThrow('x.get: data.id is neither an object');
    expect(() => typeOf(z.union([text(), int()]))).toThrow(TypeError);
  });
});

// Needs the build, which the test task runs.
test.each(Object.entries({ contract: { thin }, auth: { thinAuth }, transport: { thinTransport } }))(
  'the built %s equals the derived one',
  async (name, derived) => {
    const file = new URL(`../../dist/thin/${name}.js`, import.meta.url);
    const built: unknown = await import(/* @vite-ignore */ file.href);
    expect({ ...Object(built) }).toEqual(JSON.parse(JSON.stringify(derived)));
  },
);

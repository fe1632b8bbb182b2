import { expect, test } from 'vitest';
import { addedUp, lasting } from './figures.ts';
import { RequestFigures } from './request-figures.ts';

function labelsOf(figures: RequestFigures): Record<string, number> {
  const [requests] = figures.figures();
  return Object.fromEntries(
    (requests?.values ?? []).map(({ labels: { operation, method, status }, value }) => [
      `${method} ${operation} ${status}`,
      value,
    ]),
  );
}

test('operations, routes and what is not there have labels of their own', () => {
  const figures = new RequestFigures();
  const count = figures.listener('api');
  count('GET', { status: 200, operation: 'posts.lookup' }, 1);
  count('GET', { status: 200, operation: 'posts.lookup' }, 1);
  count('GET', { status: 207, operation: 'accounts.get,accounts.list' }, 1);
  count('GET', { status: 404, route: '/:screen_name(^\\w{1,15}$)/status/:id' }, 1);
  count('GET', { status: 404, route: '/:screen_name(^\\w{1,15}$)/status/:id' }, 1);
  count('GET', { status: 404, route: '/*' }, 1);
  count('MKCOL', { status: 404 }, 1);
  count('LOCK', { status: 404 }, 1);
  expect(labelsOf(figures)).toEqual({
    'GET posts.lookup 200': 2,
    'GET batch 207': 1,
    'GET /:screen_name/status/:id 404': 2,
    'GET none 404': 1,
    'other none 404': 2,
  });
});

test('figures of several threads are added up, and gauges do not outlive their thread', () => {
  const [one, other] = [new RequestFigures(), new RequestFigures()];
  one.listener('ads')('GET', { status: 200, operation: 'cards.get' }, 3);
  other.listener('ads')('GET', { status: 200, operation: 'cards.get' }, 2000);
  const sum = addedUp(one.figures(), other.figures());
  expect(sum.find(({ name }) => name === 'broadside_http_requests_total')?.values).toMatchObject([{ value: 2 }]);
  const seconds = sum
    .find(({ name }) => name === 'broadside_http_request_duration_seconds')
    ?.values.find(({ metricName }) => metricName?.endsWith('_sum'));
  expect(seconds?.value).toBeCloseTo(2.003);
  expect(lasting([{ name: 'g', help: 'g', type: 'gauge', values: [], aggregator: 'sum' }])).toEqual([]);
});

import { expect, test } from 'vitest';
import { Dialect } from './dialect.ts';
import { DialectFile } from './format.ts';

const dialect = new Dialect(
  DialectFile.parse({
    name: 'example',
    description: 'For tests.',
    names: { tweets: 'posts', promoted_tweets: 'promoted_posts' },
    accepted: { audiences: 'custom_audiences' },
    versions: [
      { version: '12', also: ['11'], below: ['/accounts/:account_id/promoted_posts'] },
      { version: '2', also: ['3'] },
    ],
    paths: {
      '/12/ads/:account_id/:promoted_post_id': '/12/accounts/:account_id/promoted_posts/:promoted_post_id',
      '/12/accounts/:account_id/campaigns': '/12/accounts/:account_id/line_items',
    },
  }),
);

test.for([
  ['/12/accounts/a/promoted_tweets', '/12/accounts/a/promoted_posts'],
  ['/12/accounts/a/promoted_posts/b', '/12/accounts/a/promoted_posts/b'],
  ['/11/accounts/promoted_tweets/promoted_tweets/tweets', '/12/accounts/promoted_tweets/promoted_posts/tweets'],
  ['/12/accounts/a/audiences', '/12/accounts/a/custom_audiences'],
  ['/12/ads/a/b%20c', '/12/accounts/a/promoted_posts/b%20c'],
  ['/3/tweets', '/2/posts'],
  // What the interface has itself is never something else.
  ['/12/accounts/a/campaigns', '/12/accounts/a/campaigns'],
  // What the interface does not have stays as it was received.
  ['/11/accounts/a/campaigns', '/11/accounts/a/campaigns'],
  ['/12/accounts//promoted_tweets', '/12/accounts//promoted_tweets'],
  ['/12/accounts/a/promoted_tweets/', '/12/accounts/a/promoted_tweets/'],
  ['/12/tweets', '/12/tweets'],
  ['tweets', 'tweets'],
  ['', ''],
  ['/a'.repeat(5000), '/a'.repeat(5000)],
])('%s', ([received = '', found]) => {
  expect(dialect.pathOf(received)).toBe(found);
});

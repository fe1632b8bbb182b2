import { expect, test } from 'vitest';
import { checkDialect } from './check.ts';
import { DialectFile } from './format.ts';

const base = { name: 'example', description: 'For tests.' };

const issuesOf = (members: object) =>
  checkDialect(DialectFile.parse({ ...base, ...members })).map(({ path, message }) => `${path.join('.')}: ${message}`);

test.for<[object, string]>([
  [
    { names: { tweet_id: 'pots_id' } },
    'names.tweet_id: "pots_id" is no name of the interface; did you mean "post_id"?',
  ],
  [
    { values: { TWEETS: 'PROMOTED' } },
    'values.TWEETS: "PROMOTED" is no value of the interface; did you mean "PROMOTED_POST"?',
  ],
  [{ names: { post_id: 'post_id' } }, 'names.post_id: the name is the same in the interface; leave it out'],
  [{ names: { card_uri: 'post_id' } }, 'names.card_uri: "card_uri" is a name of the interface itself; leave it out'],
  [
    { names: { tweet_id: 'post_id', status_id: 'post_id' } },
    'names.status_id: "post_id" has the form "tweet_id" already; move one of them to "accepted"',
  ],
  [{ versions: [{ version: '3', also: ['4'] }] }, 'versions.0.version: the interface has no version 3'],
  [
    { versions: [{ version: '12', also: ['4'], below: ['/nix'] }] },
    'versions.0.below.0: no path of the interface begins with /12/nix',
  ],
  [
    { paths: { '/12/tweets': '/2/pots' } },
    'paths./12/tweets: the interface has no path /2/pots; did you mean "/2/posts"?',
  ],
  [
    { paths: { '/12/a/:id': '/12/accounts/:account_id' } },
    'paths./12/a/:id: expected the parameters of /12/accounts/:account_id, in their order',
  ],
])('%j is rejected', ([members, issue]) => {
  expect(issuesOf(members)).toEqual([issue]);
});

test('several accepted names for one, and a name of the interface that stands for another where it is none', () => {
  const accepted = { status_id: 'post_id', status: 'post_id', tailored_audiences: 'custom_audiences' };
  expect(issuesOf({ names: { tweet_id: 'post_id' }, accepted })).toEqual([]);
});

import { expect, test } from 'vitest';
import { Dialect, dialectOperations, type OperationDialect } from './dialect.ts';
import { sentenceOut } from './failure.ts';
import { DialectFile } from './format.ts';
import { twitter } from './testing/twitter.ts';

const { vocabulary } = twitter;

function operation(id: string): OperationDialect {
  const found = dialectOperations.find((one) => one.id === id);
  if (!found) throw new TypeError(`there is no ${id}`);
  return twitter.of(found);
}

test.for([
  ['"post_id" is a required parameter', '"tweet_id" is a required parameter'],
  ['Expected one of PROMOTED_POSTS, MEDIA for product_type', 'Expected one of PROMOTED_TWEETS, MEDIA for product_type'],
  ['Send POST, not a post of posts', 'Send POST, not a post of posts'],
  ['the list of "posts" and `post`', 'the list of "tweets" and `tweet`'],
  ['ask for post.fields, referenced_posts.id.', 'ask for tweet.fields, referenced_tweets.id.'],
  [
    'GET /2/posts or /12/accounts/:account_id/promoted_posts/:promoted_post_id',
    'GET /2/tweets or /12/accounts/:account_id/promoted_tweets/:promoted_tweet_id',
  ],
  ['params.users[0].platform_id[1]', 'params.users[0].twitter_id[1]'],
  ['poster_media_key, PLATFORM_VERSION and post_idea', 'poster_media_key, PLATFORM_VERSION and post_idea'],
  ['https://example.com/posts', 'https://example.com/posts'],
])('%s', ([text = '', expected]) => {
  expect(sentenceOut(text, vocabulary)).toBe(expected);
});

test('a value that was sent stays in a sentence as it was sent, whatever word it is', () => {
  const entry = {
    code: 'INVALID_PARAMETER',
    message: 'Expected time, got "post_id" for post_id',
    parameter: 'post_id',
    value: 'post_id',
  };
  const body = JSON.stringify({ errors: [entry], request: { params: {} }, diagnosis: { base: 'post_id' } });
  expect(JSON.parse(twitter.failure(body))).toEqual({
    errors: [{ ...entry, message: 'Expected time, got "post_id" for tweet_id', parameter: 'tweet_id' }],
    request: { params: {} },
    diagnosis: { base: 'post_id' },
  });
});

test('plain names and values are translated where a sentence has them as such, and methods are not', () => {
  const file = { name: 'a', description: 'b', names: { verb: 'command' }, values: { BEGIN: 'INIT', TELL: 'POST' } };
  const dialect = new Dialect(DialectFile.parse(file));
  const [message, code] = ['POST no command; expected one of INIT, TELL for command', 324];
  expect(JSON.parse(dialect.failure(JSON.stringify({ errors: [{ code, message, parameter: 'command' }] })))).toEqual({
    errors: [{ code, message: 'POST no command; expected one of BEGIN, TELL for verb', parameter: 'verb' }],
  });
});

test('names, values and sentences of an error are translated, each as what it is', () => {
  const entry = {
    code: 'INVALID_POST',
    message: 'Not "PROMOTED_POSTS" with post_id',
    parameter: 'product_type',
    attribute: 'promoted_posts',
    value: 'PROMOTED_POSTS',
    details: 'post_id is missing',
  };
  const body = JSON.stringify({ errors: [entry], detail: 'Send post_id' });
  expect(JSON.parse(operation('line_items.create').failure(body))).toEqual({
    errors: [
      {
        code: 'INVALID_TWEET',
        message: 'Not "PROMOTED_TWEETS" with tweet_id',
        parameter: 'product_type',
        attribute: 'promoted_tweets',
        value: 'PROMOTED_TWEETS',
        details: 'tweet_id is missing',
      },
    ],
    detail: 'Send tweet_id',
  });
});

test('errors of a lookup have the names of its parameters, and the values where those are words', () => {
  const message = 'Expected others for post.fields';
  const parameters = { 'post.fields': ['post_id'], expansions: ['referenced_posts.id'] };
  const lookup = operation('posts.lookup');
  expect(JSON.parse(lookup.failure(JSON.stringify({ errors: [{ parameters, message }] })))).toEqual({
    errors: [
      {
        parameters: { 'tweet.fields': ['post_id'], expansions: ['referenced_tweets.id'] },
        message: 'Expected others for tweet.fields',
      },
    ],
  });
  const missing = { kind: 'not_found', resource_type: 'post', resource_id: '9', section: 'includes' } as const;
  expect(lookup.problem({ ...missing, parameter: 'referenced_posts.id' }, 'https://example.com')).toMatchObject({
    resource_type: 'tweet',
    parameter: 'referenced_tweets.id',
    detail: 'Could not find tweet with referenced_tweets.id: [9].',
  });
});

test('numbers keep their digits, and what is no object stays', () => {
  const body = '{"errors":[{"code":89,"value":9007199254740993}]}';
  expect(twitter.failure(body)).toBe(body);
  expect(twitter.failure('[]')).toBe('[]');
});

/** Places of an OpenAPI document that hold words, in a small one. */
import { expect, test } from 'vitest';
import { openapiDocument } from '../derive/openapi.ts';
import { resultOf } from '../steps.ts';
import { Dialect, dialectOperations } from './dialect.ts';
import { twitter } from './testing/twitter.ts';

const own = {
  info: { title: 'posts', description: 'Reads `post_id`.' },
  tags: [{ name: 'Promoted posts' }],
  paths: {
    '/12/promoted_posts/{post_id}': {
      post: {
        operationId: 'promoted_posts.create',
        tags: ['Promoted posts'],
        summary: 'Send `post_id`',
        parameters: [
          { name: 'post_id', schema: { type: 'string', example: { post_id: 'post_id' } }, example: 'post_id' },
          { name: 'product_type', schema: { type: 'string' }, example: 'PROMOTED_POSTS' },
        ],
        requestBody: { content: { form: { encoding: { post_ids: { explode: false } } } } },
        responses: { 200: { description: 'Has "post_id".' } },
      },
    },
  },
  components: { schemas: { PromotedPost: { description: 'By `post_id`.' } } },
};

test('names and values are renamed in each of them, and free texts and methods are not', () => {
  expect(JSON.parse(JSON.stringify(resultOf(twitter.documentInSteps(own))))).toMatchObject({
    info: { title: 'posts', description: 'Reads `tweet_id`.' },
    tags: [{ name: 'Promoted tweets' }],
    paths: {
      '/12/promoted_tweets/{tweet_id}': {
        post: {
          operationId: 'promoted_tweets.create',
          tags: ['Promoted tweets'],
          summary: 'Send `tweet_id`',
          parameters: [
            { name: 'tweet_id', schema: { type: 'string', example: { tweet_id: 'post_id' } }, example: 'post_id' },
            { name: 'product_type', example: 'PROMOTED_TWEETS' },
          ],
          requestBody: { content: { form: { encoding: { tweet_ids: { explode: false } } } } },
          responses: { 200: { description: 'Has "tweet_id".' } },
        },
      },
    },
    components: { schemas: { PromotedTweet: { description: 'By `tweet_id`.' } } },
  });
});

test('each operation and each schema is a step of its own', () => {
  const { paths, components } = openapiDocument({
    environment: 'sandbox',
    serverUrl: 'http://127.0.0.1',
    version: '1',
  });
  const steps = [...twitter.documentInSteps({ paths, components })].length;
  expect(steps).toBeGreaterThanOrEqual(Object.keys(paths).length + Object.keys(components.schemas).length);
});

test('what the first document needs of the contract is found in steps too, once for all documents', () => {
  const dialect = new Dialect(twitter.file);
  const [first, second] = [1, 2].map(() => [...dialect.documentInSteps({ paths: {} })].length);
  expect(first).toBeGreaterThan(dialectOperations.length - 1);
  expect(second).toBe(0);
});

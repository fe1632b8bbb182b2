import { stringifyJson } from '@broadside/core';
import { describe, expect, test } from 'vitest';
import { createClient } from './client.ts';
import { ApiResponseError, BroadsideError, CredentialsError, RateLimitError, SandboxOnlyError } from './errors.ts';
import { answer, campaign, refusal } from './testing/campaign.ts';
import { credentials, type FakeAnswer, fakeServer, rejection } from './testing/fake-server.ts';

const call = { account_id: 'abc1', funding_instrument_id: 'lygyi', name: 'One' };

function create(script: FakeAnswer) {
  return createClient(credentials, { fetch: fakeServer(script).fetch, retry: false }).campaigns.create(call);
}

function refused(status: number, body: unknown): FakeAnswer {
  return { status, headers: { 'x-current-api-version': '12' }, body: stringifyJson(body) };
}

describe('a rejection', () => {
  test('carries every reason and the echoed parameters, and has a readable message', async () => {
    const value = 9_007_199_254_740_993n;
    const errors = [
      { code: 'MISSING_PARAMETER', message: '"name" is a required parameter', parameter: 'name' },
      { code: 'INVALID_PARAMETER', message: 'Expected time', parameter: 'start_time', details: 'invalid date', value },
    ];
    const error = await rejection(
      ApiResponseError,
      create(refused(400, { errors, request: { params: { account_id: 'abc1' } } })),
    );
    expect(error.status).toBe(400);
    expect(error.errors).toEqual(errors);
    expect(error.operation_errors).toBeUndefined();
    expect(error.request).toEqual({ params: { account_id: 'abc1' } });
    expect(error.headers.get('x-current-api-version')).toBe('12');
    expect(error.sent).toEqual({ method: 'POST', path: '/12/accounts/abc1/campaigns', operation: 'campaigns.create' });
    expect(error.message).toBe(
      [
        'campaigns.create was rejected with 400:',
        '  "name" is a required parameter (MISSING_PARAMETER)',
        '  start_time: Expected time (INVALID_PARAMETER, invalid date)',
      ].join('\n'),
    );
  });

  test('for one reason is one line', async () => {
    const error = await rejection(ApiResponseError, create(refusal(404, 'FUNDING_INSTRUMENT_NOT_FOUND')));
    expect(error.message).toBe(
      'campaigns.create was rejected with 404: because of FUNDING_INSTRUMENT_NOT_FOUND (FUNDING_INSTRUMENT_NOT_FOUND)',
    );
  });

  test('of a batch names the items', async () => {
    const operation_errors = [[], [{ code: 'INVALID_PARAMETER', message: 'Expected a name', parameter: 'name' }]];
    const client = createClient(credentials, {
      fetch: fakeServer(refused(400, { operation_errors, request: [] })).fetch,
    });
    const batch = client.campaigns.batch({
      account_id: 'abc1',
      operations: [{ operation_type: 'Create', params: { funding_instrument_id: 'lygyi', name: 'n' } }],
    });
    const error = await rejection(ApiResponseError, batch);
    expect(error.operation_errors).toEqual(operation_errors);
    expect(error.errors).toEqual([]);
    expect(error.has('INVALID_PARAMETER')).toBe(true);
    expect(error.has('CAMPAIGN_NOT_FOUND')).toBe(false);
    expect(error.message).toBe(
      'campaigns.batch was rejected with 400: operations[1]: Expected a name (INVALID_PARAMETER)',
    );
  });

  test('may have a numbered reason', async () => {
    const errors = [{ code: 89, message: 'Invalid or expired token' }];
    const error = await rejection(ApiResponseError, create(refused(401, { errors })));
    expect([error.has(89), error.has(32), error.errors]).toEqual([true, false, errors]);
    expect(error.message).toBe('campaigns.create was rejected with 401: Invalid or expired token (89)');
  });

  test('has() checks all reasons', async () => {
    const errors = ['INVALID_PARAMETER', 'TOO_MANY_CAMPAIGNS'].map((code) => ({ code, message: code }));
    const error = await rejection(ApiResponseError, create(refused(400, { errors })));
    expect([error.has('TOO_MANY_CAMPAIGNS'), error.has('SPEND_EXCEEDS_BUDGET')]).toEqual([true, false]);
  });

  test('with 503 has the time for a retry, regardless of the rate-limit windows', async () => {
    const reset = { 'x-rate-limit-limit': '1', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '1900000000' };
    const script = refusal(503, 'SERVICE_UNAVAILABLE', { ...reset, 'retry-after': 'Fri, 15 Jan 2027 08:00:00 GMT' });
    const error = await rejection(ApiResponseError, create(script));
    expect(error.retry_at).toEqual(new Date('2027-01-15T08:00:00Z'));
  });

  test('with 400 has no retry time', async () => {
    const reset = { 'x-rate-limit-limit': '1', 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': '1900000000' };
    const error = await rejection(ApiResponseError, create(refusal(400, 'INVALID_PARAMETER', reset)));
    expect(error.retry_at).toBeUndefined();
    expect(error.rateLimits.user?.remaining).toBe(0);
  });

  test('with 429 is a RateLimitError even with a proxy’s body', async () => {
    const error = await rejection(RateLimitError, create({ status: 429, body: 'slow down' }));
    expect(error.errors).toEqual([]);
    expect(error.message).toBe('campaigns.create was rejected with 429');
  });

  test.each([
    ['text', { status: 500, body: 'oops' }],
    ['another shape', refused(400, { error: 'no' })],
    ['no reason', refused(400, { errors: [] })],
    ['codes of an unknown type', refused(400, { errors: [{ code: true, message: 'no' }] })],
  ])('in %s is an unexpected response', async (_, script) => {
    const error = await rejection(BroadsideError, create(script));
    expect(error.name).toBe('UnexpectedResponseError');
    expect(error.message).toContain(script.body);
  });
});

describe('before anything is sent', () => {
  test('an operation of the sandbox is rejected in production', async () => {
    const { fetch, sent } = fakeServer(answer(campaign()));
    const error = await rejection(SandboxOnlyError, createClient(credentials, { fetch }).accounts.create());
    expect(error.operation).toBe('accounts.create');
    expect(error.message).toContain("environment: 'sandbox'");
    expect(sent).toEqual([]);
  });

  test.each(['consumer_key', 'consumer_secret', 'access_token', 'access_token_secret', 'ads_base_url'] as const)(
    'missing credentials are named: %s',
    async (member) => {
      const { fetch, sent } = fakeServer();
      for (const value of [undefined, '']) {
        const client = createClient({ ...credentials, [member]: value }, { fetch });
        const error = await rejection(CredentialsError, client.campaigns.create(call));
        expect(error.parameter).toBe(member);
        expect(error.message).toContain(`"${member}"`);
      }
      expect(sent).toEqual([]);
    },
  );

  test.each(['ads.example.com', 'ftp://ads.test', 'http://ads.test/?x=1', 'http://user@ads.test'])(
    'an invalid address is rejected: %s',
    async (ads_base_url) => {
      const { fetch, sent } = fakeServer();
      const client = createClient({ ...credentials, ads_base_url }, { fetch });
      expect((await rejection(CredentialsError, client.campaigns.create(call))).message).toContain('ads_base_url');
      expect(sent).toEqual([]);
    },
  );

  test('no error contains a secret', async () => {
    const secrets = { consumer_secret: 'SECRET-ONE', access_token_secret: 'SECRET-TWO' };
    const { fetch } = fakeServer(refusal(401, 'UNAUTHORIZED_ACCESS'));
    const error = await rejection(
      ApiResponseError,
      createClient({ ...credentials, ...secrets }, { fetch }).campaigns.create(call),
    );
    expect(stringifyJson({ ...error, message: error.message, stack: error.stack })).not.toContain('SECRET-');
  });
});

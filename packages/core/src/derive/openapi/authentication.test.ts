import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { defineAuthOperation, definePageOperation } from '../../operation/define.ts';
import type { AuthOperation } from '../../operation/operation.ts';
import { boolean, oneOf, text } from '../../wire/types.ts';
import { openapiDocument } from '../openapi.ts';

describe('an endpoint of authentication', () => {
  const grant = (changes: Partial<AuthOperation> = {}): AuthOperation => ({
    ...defineAuthOperation({
      id: 'oauth.grant',
      summary: 'Get a grant',
      http: { method: 'POST', path: '/oauth/grant' },
      access: { auth: 'app' },
      rateLimit: 'auth.token',
      envelope: 'form',
      params: z.object({ oauth_callback: text().describe('Where to go.'), mode: oneOf(['A', 'B']).optional() }),
      data: z.object({ oauth_token: text(), confirmed: boolean() }),
      errors: ['CALLBACK_NOT_APPROVED'],
      example: { params: { oauth_callback: 'https://a.example/b' }, data: { oauth_token: 'a/b', confirmed: true } },
    }),
    ...changes,
  });
  const documentOfGrant = (changes?: Partial<AuthOperation>) =>
    openapiDocument({ environment: undefined, serverUrl: 'http://here', version: '1', operations: [grant(changes)] });
  const made = (changes?: Partial<AuthOperation>) => documentOfGrant(changes).paths['/oauth/grant']?.['post'];

  test.each<[AuthOperation['access']['auth'], readonly object[]]>([
    ['app', [{ oauth1: [] }]],
    ['request_token', [{ oauth1: [] }]],
    ['access_token', [{ oauth1: [] }]],
    ['basic', [{ basic: [] }]],
    ['owner', [{ oauth1: [] }, { basic: [] }]],
  ])('that requires %s credentials accepts the matching schemes, and the document has no others', (auth, security) => {
    expect(made({ access: { auth } })).toMatchObject({ security, 'x-proof': auth });
    const { securitySchemes } = documentOfGrant({ access: { auth } }).components;
    expect(Object.keys(securitySchemes as object)).toEqual(security.flatMap((one) => Object.keys(one)));
  });

  test('says of parameters of the protocol that they are in the header, the query or a form', () => {
    const parameters = made()?.['parameters'] as readonly Record<string, unknown>[];
    expect(parameters).toMatchObject([
      { name: 'oauth_callback', in: 'query', example: 'https://a.example/b', 'x-protocol-parameter': true },
      { name: 'mode', in: 'query' },
    ]);
    expect(parameters[0]?.['description']).toMatch(
      /^Where to go\. Required: among .* Authorization header, .* query .* form/,
    );
    for (const one of parameters) expect(one).not.toHaveProperty('required');
    expect(made()).not.toHaveProperty('requestBody');
  });

  test('takes other parameters in a form', () => {
    const params = z.object({ mode: oneOf(['A']) });
    const example = { params: { mode: 'A' }, data: { oauth_token: 'x', confirmed: true } };
    expect(made({ params, example })).toMatchObject({
      requestBody: { required: true, content: { 'application/x-www-form-urlencoded': { example: { mode: 'A' } } } },
    });
    expect(made({ params, example })).not.toHaveProperty('parameters');
  });

  test('responds with a form under the type HTML, or with a JSON object', () => {
    const contentSchema = { $ref: '#/components/schemas/OauthGrantResult' };
    expect(made()).toMatchObject({
      responses: {
        200: {
          content: {
            'text/html': {
              schema: { type: 'string', contentMediaType: 'application/x-www-form-urlencoded', contentSchema },
              example: 'oauth_token=a%2Fb&confirmed=true',
            },
          },
        },
      },
    });
    expect(made({ envelope: 'object' })).toMatchObject({
      responses: {
        200: {
          content: { 'application/json': { schema: contentSchema, example: { oauth_token: 'a/b', confirmed: true } } },
        },
      },
    });
  });

  test('names its errors by number', () => {
    expect(made()).toMatchObject({
      responses: {
        403: {
          'x-error-codes': [415],
          description: '`415`: Callback URL not approved for this client application.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/NumberedErrors' } } },
        },
      },
    });
    const { schemas, examples } = documentOfGrant().components;
    expect(schemas['NumberedError']).toMatchObject({
      properties: { code: { type: 'integer', enum: [32, 88, 130, 131, 135, 215, 415] } },
    });
    expect(examples).toMatchObject({ CALLBACK_NOT_APPROVED: { value: { errors: [{ code: 415 }] } } });
    expect(Object.keys(schemas)).toEqual(['Diagnosis', 'NumberedError', 'NumberedErrors', 'OauthGrantResult']);
  });

  test('documents the rate limit where a request was or may have been counted', () => {
    const responses = made()?.['responses'] as Record<string, { headers?: object }>;
    const counted = Object.entries(responses).filter(([, { headers = {} }]) => 'x-rate-limit-limit' in headers);
    expect(counted.map(([status]) => status)).toEqual(['200', '400', '403', '415', '429', '500', '503']);
    for (const { headers } of Object.values(responses)) expect(headers).toHaveProperty('x-request-id');
  });

  test('with a single error has no other response that a caller can cause', () => {
    const responses = made({ rejection: 'UNVERIFIED_CREDENTIALS', errors: [] })?.['responses'];
    expect(Object.keys(responses as object)).toEqual(['200', '403', '408', '413', '415', '500', '503']);
  });

  test('is under its aliases too, with ids of their own', () => {
    const http = { method: 'POST', path: '/oauth/grant', aliases: ['/oauth/one', '/oauth/two'] } as const;
    const { paths } = documentOfGrant({ http });
    expect(Object.keys(paths)).toEqual(['/oauth/grant', '/oauth/one', '/oauth/two']);
    expect(paths['/oauth/two']?.['post']).toMatchObject({
      operationId: 'oauth.grant.alias2',
      'x-alias-of': 'oauth.grant',
      responses: paths['/oauth/grant']?.['post']?.['responses'],
    });
    expect(paths['/oauth/grant']?.['post']).not.toHaveProperty('x-alias-of');
  });

  test('is found in one document with a page, which admits anyone and responds with HTML', () => {
    const page = (id: string) =>
      definePageOperation({
        id,
        summary: 'Ask',
        description: 'Asks.',
        http: { method: 'GET', path: '/oauth/grant' },
        rateLimit: 'auth.page',
        params: z.object({ oauth_token: text(), force_login: boolean().default(false) }),
        example: { params: { oauth_token: 'x' } },
      });
    const documentWith = (id: string) =>
      openapiDocument({ environment: undefined, serverUrl: '', version: '1', operations: [grant(), page(id)] });
    const shown = (id: string) => documentWith(id).paths['/oauth/grant']?.['get'];
    expect(Object.keys(documentWith('oauth.ask').paths['/oauth/grant'] ?? {})).toEqual(['post', 'get']);
    expect(shown('oauth.ask')).toMatchObject({
      security: [],
      parameters: [
        { name: 'oauth_token', in: 'query', required: true },
        { name: 'force_login', schema: { default: false } },
      ],
      responses: { 200: { content: { 'text/html': {} } }, 403: { content: { 'text/html': {} } } },
    });
    expect(Object.keys(shown('oauth.ask')?.['responses'] as object)).toEqual([
      '200',
      '400',
      '403',
      '429',
      '500',
      '503',
    ]);
    expect(shown('oauth.authenticate')).toMatchObject({ responses: { 303: { headers: { location: {} } } } });
  });
});

/** The OpenAPI document as an outsider's validator sees it. */
import {
  allAuthOperations,
  allDataOperations,
  allOperations,
  allPages,
  allUploadOperations,
  type Environment,
  parseJson,
  stringifyJson,
  type UploadOperation,
} from '@broadside/core';
import { openapiDocument } from '@broadside/core/openapi';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const rules = [
  'struct',
  'spec-strict-refs',
  'no-unresolved-refs',
  'no-unused-components',
  'no-ambiguous-paths',
  'no-identical-paths',
  'no-path-trailing-slash',
  'no-undefined-server-variable',
  'path-declaration-must-exist',
  'path-not-include-query',
  'path-parameters-defined',
  'path-params-defined',
  'operation-2xx-response',
  'operation-4xx-response',
  'operation-operationId',
  'operation-operationId-unique',
  'operation-parameters-unique',
  'operation-summary',
  'operation-tag-defined',
  'parameter-description',
  'security-defined',
  'no-enum-type-mismatch',
  'no-example-value-and-externalValue',
  'no-invalid-media-type-examples',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
  'response-contains-header',
] as const;

async function lint(document: unknown) {
  const config = await createConfig({ rules: Object.fromEntries(rules.map((rule) => [rule, 'error'])) });
  const problems = await lintFromString({ source: stringifyJson(document), absoluteRef: 'openapi.json', config });
  return problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`);
}

describe.each<Environment>(['production', 'sandbox'])('the document of %s', (environment) => {
  const document = openapiDocument({ environment, serverUrl: 'http://127.0.0.1:8001', version: '1.0.0' });

  test('is valid OpenAPI 3.1, with examples that fit their schemas', async () => {
    expect(await lint(document)).toEqual([]);
  });

  test('has every operation of the environment once, and no other', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one['operationId']),
    );
    const offered = allOperations.filter(({ sandboxOnly }) => environment === 'sandbox' || !sandboxOnly);
    expect(ids.sort()).toEqual(offered.map(({ id }) => id).sort());
  });

  test('is data: it survives being written and read', () => {
    expect(parseJson(stringifyJson(document))).toEqual(document);
  });
});

describe('the document of authentication and data retrieval', () => {
  const serverUrl = 'http://127.0.0.1:8000';
  const document = openapiDocument({ environment: undefined, serverUrl, version: '1.0.0' });
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ route: `${method.toUpperCase()} ${path}`, ...one })),
  );

  test('is valid OpenAPI 3.1, with examples that fit their schemas', async () => {
    expect(await lint(document)).toEqual([]);
  });

  test('has every endpoint and every page once, and each alias beside its endpoint', () => {
    const own = described.filter((one) => !('x-alias-of' in one)).map(({ route }) => route);
    const routes = [...allAuthOperations, ...allDataOperations, ...allPages, ...allUploadOperations].map(
      ({ http }) => `${http.method} ${http.path.replace(/:(\w+)/g, '{$1}')}`,
    );
    // The steps of version 1.1 of the upload share a path.
    expect(own.sort()).toEqual([...new Set(routes)].sort());
    const aliases = described.flatMap((one) => ('x-alias-of' in one ? [[one.route, one['x-alias-of']]] : []));
    const isFirst = ({ http }: UploadOperation) => http.command === undefined || http.method === 'GET';
    expect(aliases.sort()).toEqual(
      [...allAuthOperations, ...allUploadOperations.filter(isFirst)]
        .flatMap(({ id, http }) => (http.aliases ?? []).map((alias) => [`${http.method} ${alias}`, id]))
        .sort(),
    );
    expect(aliases).not.toEqual([]);
  });

  test('describes a lookup with its objects by name, its problems and both ways to authenticate', () => {
    const lookup = document.paths['/2/posts']?.['get'];
    expect(lookup).toMatchObject({
      operationId: 'posts.lookup',
      security: [{ bearer: [] }, { oauth1: [] }],
      'x-rate-limit': { limit: 5000, app_limit: 3500 },
    });
    const refs = [...stringifyJson(lookup).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name);
    expect(new Set(refs)).toEqual(new Set(['Post', 'User', 'Media', 'Poll', 'Place', 'PartialProblem', 'Problem']));
    const { responses } = z.looseObject({ responses: z.record(z.string(), z.looseObject({})) }).parse(lookup);
    expect(Object.keys(responses)).toEqual(['200', '400', '401', '403', '408', '413', '429', '500', '503']);
    for (const [status, { content }] of Object.entries(responses)) {
      const type = status === '200' ? 'application/json' : 'application/problem+json';
      expect(Object.keys(z.looseObject({}).parse(content)), status).toEqual([type]);
    }
  });

  test('is data: it survives being written and read', () => {
    expect(parseJson(stringifyJson(document))).toEqual(document);
  });
});

test('the validator finds what is wrong', async () => {
  const document = openapiDocument({ environment: 'sandbox', serverUrl: 'http://127.0.0.1:8001', version: '1.0.0' });
  const wrong = structuredClone(document) as unknown as {
    paths: Record<string, { get?: { parameters: { example: unknown }[] } }>;
  };
  const parameter = wrong.paths['/12/accounts']?.get?.parameters[0];
  if (parameter) parameter.example = 17;
  expect(await lint(wrong)).toEqual([expect.stringContaining('no-invalid-parameter-examples')]);
});

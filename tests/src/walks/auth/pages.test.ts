/** Every page of authentication: its statuses are those of the document. And the reference names each function of the client. */
import { createOAuth } from '@broadside/client';
import { allPages, authContract } from '@broadside/core';
import { openapiDocument } from '@broadside/core/openapi';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { malformedTexts, parametersOf } from '../../support/malformed.ts';
import { CALLBACK, close, open, type Setting } from './setting.ts';

let setting: Setting;
beforeAll(async () => {
  setting = await open();
});
afterAll(() => close(setting));

describe.for(allPages.map((page) => [page.id, page] as const))('%s', ([, page]) => {
  const { path, method } = page.http;
  const html = { headers: expect.objectContaining({ 'content-type': 'text/html; charset=utf-8' }) };

  const document = openapiDocument({ environment: undefined, serverUrl: '', version: '' });
  const declared = () => Object.keys(z.looseObject({}).parse(document.paths[path]?.['get']?.['responses']));

  test('answers with a page, and with the statuses that the document has', async () => {
    const { world, owner } = await open({ rateLimits: { 'auth.page': { limit: 3 } } });
    onTestFinished(() => world.close());
    const answered = await world.request({
      listener: 'api',
      method: 'POST',
      path: authContract.oauth.request_token.http.path,
      as: owner,
      sign: { token: null },
      query: { oauth_callback: CALLBACK },
    });
    const oauth_token = new URLSearchParams(answered.text).get('oauth_token') ?? '';
    const get = (query: Readonly<Record<string, string>>) =>
      world.request({ listener: 'api', method, path, query, as: null });
    for (const [query, status] of [
      [{ oauth_token }, 200],
      [{}, 400],
      [{ oauth_token: 'unknown' }, 403],
      [{ oauth_token }, 429],
    ] as const) {
      expect(await get(query)).toMatchObject({ status, ...html });
      expect(declared()).toContain(String(status));
    }
  });

  test('rejects malformed text for each parameter', async () => {
    for (const { name, type } of parametersOf(page.params)) {
      // A page passes over a parameter without a value.
      for (const text of malformedTexts(type).filter((one) => one !== '')) {
        const query = { oauth_token: 'unknown', [name]: text };
        const answer = await setting.world.request({ listener: 'api', method, path, query, as: null });
        expect(answer, `${name}=${JSON.stringify(text.slice(0, 40))}`).toMatchObject({ status: 400, ...html });
      }
    }
  });
});

test('the reference calls each function that the client has for authentication, and no other', async () => {
  const read = async (path: string) => (await setting.world.request({ listener: 'api', path, as: null })).text;
  const links = [...(await read('/docs')).matchAll(/href="(docs\/[\w.-]+)/g)].map(([, to]) => `/${to}`);
  const pages = await Promise.all([...new Set(links)].map(read));
  const samples = pages.join('').match(/<figcaption>TypeScript<\/figcaption>.*?<\/figure>/gs) ?? [];
  const called = [...samples.join('').matchAll(/\boauth\.(\w+)\(/g)].map(([, name]) => name);
  const oauth = createOAuth(setting.world.credentialsOf(setting.owner), setting.world.clientOptions);
  expect([...new Set(called)].sort()).toEqual(Object.keys(oauth).sort());
});

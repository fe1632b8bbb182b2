/** Generic cards over HTTP: specification B, Cards; reference, conventions section 2, creatives section 3. */
import type { TestRequest } from '@broadside/testkit';
import { expect } from 'vitest';
import { componentsOf, slidesOf } from '../../support/card-bodies.ts';
import { libraryMediaOf } from '../../support/library.ts';
import { type Stage, scenarios } from '../../support/scenario.ts';

const scenario = scenarios();

const at = ({ account_id }: Stage, card_id = '') => `/12/accounts/${account_id}/cards${card_id && `/${card_id}`}`;

scenario('B-CARDS-ENVELOPE', async (stage) => {
  const { world, account_id } = stage;
  const media_key = await libraryMediaOf(world, account_id, 'wide_image');
  const json = { name: 'Barrels', components: componentsOf(media_key) };
  const created = await world.request({ method: 'POST', path: at(stage), json });
  expect(created.status, created.text).toBe(200);
  const { request, data } = Object(created.body);
  expect(request).toEqual({ params: { account_id } });
  expect(Object.keys(data)).toEqual([
    'name',
    'components',
    'created_at',
    'card_uri',
    'id',
    'updated_at',
    'deleted',
    'card_type',
  ]);
  const path = at(stage, data.id);
  const params = { account_id, card_id: data.id };
  const changed = await world.request({ method: 'PUT', path, json: { slides: slidesOf(media_key, media_key) } });
  expect(changed.body).toMatchObject({ request: { params } });
  expect(Object(changed.body).request).toEqual({ params });
  for (const method of ['GET', 'DELETE'] as const) {
    expect(Object((await world.request({ method, path })).body).request).toEqual({ params });
  }
  const query = {
    card_types: 'IMAGE_APP,IMAGE_WEBSITE',
    card_id: data.id,
    count: '2',
    q: 'b',
    include_legacy_cards: 'true',
  };
  expect((await world.request({ path: at(stage), query })).body).toMatchObject({
    request: {
      params: {
        account_id,
        card_types: ['IMAGE_APP', 'IMAGE_WEBSITE'],
        card_id: [data.id],
        count: 2,
        q: 'b',
        include_legacy_cards: true,
      },
    },
    data: [],
    next_cursor: null,
  });
});

scenario('B-CARDS-BODY', async (stage) => {
  const { world } = stage;
  const components = componentsOf(await libraryMediaOf(world, stage.account_id, 'wide_image'));
  const right = { name: 'Barrels', components };
  const bare = { method: 'POST', path: at(stage) } as const;
  const type = { 'content-type': 'application/json' };
  const requests: readonly (readonly [TestRequest, number])[] = [
    [{ ...bare }, 415],
    [{ ...bare, form: { name: 'Barrels', components: JSON.stringify(components) } }, 415],
    [{ ...bare, query: { name: 'Barrels', components: JSON.stringify(components) } }, 415],
    [{ ...bare, body: JSON.stringify(right), headers: { 'content-type': 'text/plain' } }, 415],
    [{ ...bare, json: right, query: { name: 'Barrels' } }, 400],
    ...['[', 'null', '[]', '7', '"x"', '{}', `[${JSON.stringify(right)}]`, `{"name":"a","name":"b"}`].map(
      (body) => [{ ...bare, body, headers: type }, 400] as const,
    ),
  ];
  for (const [request, status] of requests) {
    const answer = await world.request(request);
    expect([JSON.stringify(request).slice(0, 200), answer.status]).toEqual([
      JSON.stringify(request).slice(0, 200),
      status,
    ]);
  }
  expect(await stage.many('cards.list')).toEqual([]);
  expect((await world.request({ ...bare, json: right })).status).toBe(200);
});

scenario('B-CARDS-HOSTILE', async (stage) => {
  const { world } = stage;
  const [medium, text] = componentsOf(await libraryMediaOf(world, stage.account_id, 'wide_image'));
  const deep = (opening: string, closing: string) => opening.repeat(20_000) + closing.repeat(20_000);
  const many = (member: string, count: number) => Array.from({ length: count }, () => member).join();
  const names = Array.from({ length: 20_000 }, (_, index) => `"m${index}":0`).join();
  const [first, second] = [JSON.stringify(medium), JSON.stringify(text)];
  const bodies = [
    `{"name":"a","components":${deep('[', ']')}}`,
    `{"name":"a","components":${deep('{"a":', '}').replace('}', '0}')}}`,
    `{"name":"a","components":[${first},{"type":"DETAILS","title":${deep('[', ']')}}]}`,
    `{"name":"a","components":[{"type":"MEDIA","media_key":"3_1","media_metadata":${deep('[', ']')}},${second}]}`,
    `{"name":"a","components":[${many(first, 20_000)}]}`,
    `{"name":"a","slides":[${many(`[${first},${second}]`, 3000)}]}`,
    `{"name":"a","components":[{${names}},{${names}}]}`,
    `{"name":"a","components":[{"type":"MEDIA",${names}},${second}]}`,
    `{"name":"a","components":[{"type":"MEDIA","media_key":"${'x'.repeat(500_000)}"},${second}]}`,
    `{"name":"a","components":[${first},{"type":"DETAILS","title":"x","destination":{"type":"WEBSITE","url":"https://${'a.'.repeat(200_000)}"}}]}`,
    `{"name":"a","components":[{"__proto__":{"type":"MEDIA"}},${second}]}`,
    `{"__proto__":{"name":"a"}}`,
  ];
  for (const body of bodies) {
    const answer = await world.request({
      method: 'POST',
      path: at(stage),
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect([body.slice(0, 80), answer.status]).toEqual([body.slice(0, 80), 400]);
    expect(Object(answer.body).errors.length).toBeLessThan(20);
  }
  expect(await stage.many('cards.list')).toEqual([]);
});

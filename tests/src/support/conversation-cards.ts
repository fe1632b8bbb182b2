/** Scenarios that image and video conversation cards have in common: what a card says, lists, changes and deletions. */
import { operationById } from '@broadside/core';
import { expect } from 'vitest';
import { member } from './body.ts';
import { requestFor } from './call.ts';
import { type LibraryFile, libraryMediaOf } from './library.ts';
import type { Entity, Stage } from './scenario.ts';

type Params = Readonly<Record<string, unknown>>;
type Play = (stage: Stage) => Promise<void>;

/** A kind of conversation card. */
export interface CardKind {
  readonly family: 'image_conversation_cards' | 'video_conversation_cards';
  readonly card_type: 'IMAGE_CONVERSATION' | 'VIDEO_CONVERSATION';
  /** Media that its cards can show. */
  readonly file: LibraryFile;
}

/** The least texts of a card, beside its media. */
export const leastConversation = {
  name: 'Autumn reading',
  title: 'What will you read?',
  first_cta: '#autumnbooks',
  first_cta_post: 'A book for each rainy evening #autumnbooks',
  thank_you_text: 'Enjoy your book',
};

const second = { second_cta: '#poems', second_cta_post: 'A poem a day #poems' };
const others = {
  ...second,
  third_cta: 'Novels, please',
  third_cta_post: 'The longer the better',
  fourth_cta: '#comics',
  fourth_cta_post: 'With pictures #comics',
};

/** Creates cards and media for them in the account of a scenario. */
export class Cards {
  readonly stage: Stage;
  readonly kind: CardKind;

  constructor(stage: Stage, kind: CardKind) {
    this.stage = stage;
    this.kind = kind;
  }

  /** Adds a file to the library. @returns its key */
  media(file: LibraryFile = this.kind.file): Promise<string> {
    return libraryMediaOf(this.stage.world, this.stage.account_id, file);
  }

  async create(params: Params = {}): Promise<Entity> {
    const media_key = params['media_key'] ?? (await this.media());
    return this.stage.one(`${this.kind.family}.create`, { ...leastConversation, ...params, media_key });
  }

  get(card_id: string): Promise<Entity> {
    return this.stage.one(`${this.kind.family}.get`, { card_id });
  }

  update(card_id: string, params: Params): Promise<Entity> {
    return this.stage.one(`${this.kind.family}.update`, { card_id, ...params });
  }

  list(params: Params = {}): Promise<Entity[]> {
    return this.stage.many(`${this.kind.family}.list`, params);
  }

  /** Expects that a creation and a change are rejected for a parameter. */
  async reject(card: Entity, params: Params, code: string, parameter: string, status = 400): Promise<void> {
    const { family } = this.kind;
    const creation = { ...leastConversation, media_key: card['media_key'], ...params };
    for (const [id, given] of [
      [`${family}.create`, creation],
      [`${family}.update`, { card_id: card.id, ...params }],
    ] as const) {
      const errors = await this.stage.rejected(id, given, status);
      expect(errors[0], `${id} ${JSON.stringify(params)}`).toMatchObject({ code, parameter });
    }
    expect(await this.get(card.id)).toEqual(card);
  }
}

/** The scenarios of a kind. */
export function conversationPlays(kind: CardKind) {
  const on =
    (play: (cards: Cards, stage: Stage) => Promise<void>): Play =>
    (stage) =>
      play(new Cards(stage, kind), stage);
  const { family } = kind;

  return {
    /** Members that are not set are absent, and all others are there. */
    says: on(async (cards) => {
      const card = await cards.create();
      for (const name of [...Object.keys(others), 'thank_you_url', 'unlocked_image_url']) {
        expect(card, name).not.toHaveProperty(name);
      }
      expect(card).toMatchObject({ ...leastConversation, card_type: kind.card_type, deleted: false });
      expect(card.id).toMatch(/^[0-9a-z]{2,9}$/);
      expect(card['card_uri']).toMatch(/^card:\/\/\d{10,19}$/);
      expect(card['card_uri']).not.toContain(card.id);
      expect(await cards.get(card.id)).toEqual(card);
      const full = { ...others, thank_you_url: 'https://books.example.com/thanks' };
      const whole = await cards.create(full);
      expect(whole).toMatchObject({ ...leastConversation, ...full });
      expect(whole['card_uri']).not.toBe(card['card_uri']);
      expect(await cards.list()).toEqual([whole, card]);
    }),

    /** Nothing is created without what is required. */
    requires: on(async (cards, stage) => {
      const whole: Params = { ...leastConversation, media_key: await cards.media() };
      for (const missing of ['name', 'media_key', 'first_cta', 'first_cta_post', 'thank_you_text']) {
        const { [missing]: _, ...rest } = whole;
        const [error] = await stage.rejected(`${family}.create`, rest);
        expect(error, missing).toMatchObject({ code: 'MISSING_PARAMETER', parameter: missing });
      }
      expect(await cards.list()).toEqual([]);
    }),

    /** A title, a second call to action, or both; and a text with each call to action. */
    pairs: on(async (cards, stage) => {
      const { title: _, ...untitled } = leastConversation;
      const media_key = await cards.media();
      const [error] = await stage.rejected(`${family}.create`, { ...untitled, media_key });
      expect(error).toMatchObject({ code: 'MISSING_PARAMETER', parameter: 'title' });
      await stage.ok(`${family}.create`, { ...untitled, ...second, media_key });
      const card = await cards.create({ media_key });
      await cards.update(card.id, second);
      const both = await cards.update(card.id, { title: '' });
      expect(both).not.toHaveProperty('title');
      const [without] = await stage.rejected(`${family}.update`, { card_id: card.id, second_cta: '' });
      expect(without).toMatchObject({ code: 'MISSING_PARAMETER', parameter: 'title' });
      const plain = await cards.create({ media_key });
      for (const nth of ['second', 'third', 'fourth']) {
        await cards.reject(plain, { [`${nth}_cta`]: '#one' }, 'MISSING_PARAMETER', `${nth}_cta_post`);
        await cards.reject(plain, { [`${nth}_cta_post`]: 'One' }, 'INCLUSIVE_PARAMETERS', `${nth}_cta_post`);
      }
    }),

    /** The characters of calls to action, titles and thanks, and the weight of texts. */
    bounds: on(async (cards) => {
      const twenty = '書'.repeat(20);
      const card = await cards.create({
        name: 'n'.repeat(80),
        title: 't'.repeat(23),
        thank_you_text: '👍'.repeat(23),
        first_cta: `#${twenty}`,
        first_cta_post: 'p'.repeat(280),
        second_cta: twenty,
        second_cta_post: '書'.repeat(140),
      });
      const wrong: readonly (readonly [string, string])[] = [
        ['name', 'n'.repeat(81)],
        ['title', 't'.repeat(24)],
        ['thank_you_text', 't'.repeat(24)],
        ['first_cta', `#${twenty}書`],
        ['first_cta', 'autumnbooks'],
        ['first_cta', '#two words'],
        ['first_cta', '#2026'],
        ['second_cta', `${twenty}書`],
        ['third_cta', `#${twenty}書`],
        ['fourth_cta', `#${twenty}書`],
        ['first_cta_post', 'p'.repeat(281)],
        ['second_cta_post', '書'.repeat(141)],
        ['third_cta_post', ' \n'],
        ['thank_you_url', 'javascript:alert(1)'],
        ['thank_you_url', 'books.example.com'],
      ];
      for (const [name, value] of wrong) {
        const nth = /^(second|third|fourth)_cta/.exec(name)?.[1];
        const whole = nth === undefined ? {} : { [`${nth}_cta`]: '#one', [`${nth}_cta_post`]: 'One' };
        await cards.reject(card, { ...whole, [name]: value }, 'INVALID_PARAMETER', name);
      }
    }),

    /** Media are in the library of the account, of the kind and the ratio of the card. */
    media: on(async (cards, stage) => {
      const card = await cards.create();
      const { world } = stage;
      const foreign = await libraryMediaOf(world, await world.createAccount('sandbox', stage.user), kind.file);
      for (const media_key of ['3_1', 'nothing', foreign]) {
        await cards.reject(card, { media_key }, 'MEDIA_NOT_FOUND', 'media_key', 404);
      }
      await stage.ok('media_library.delete', { media_key: card['media_key'] });
      // What the card shows stays, and cannot be given again.
      expect(await cards.get(card.id)).toEqual(card);
      expect(await cards.update(card.id, { name: 'Winter' })).toMatchObject({ media_url: card['media_url'] });
      const again = { ...leastConversation, media_key: card['media_key'] };
      expect(await stage.rejected(`${family}.create`, again, 404)).toMatchObject([{ code: 'MEDIA_NOT_FOUND' }]);
    }),

    /** Only what is given changes, and an empty value removes what a card can do without. */
    update: on(async (cards, stage) => {
      const full = { ...others, thank_you_url: 'https://books.example.com/thanks' };
      const card = await cards.create(full);
      stage.world.clock.advance(2000);
      const renamed = await cards.update(card.id, { name: 'Winter reading' });
      expect(renamed).toEqual({ ...card, name: 'Winter reading', updated_at: expect.any(String) });
      expect(renamed['updated_at']).not.toBe(card['updated_at']);
      const values = {
        title: 'And now?',
        first_cta: '#winter',
        first_cta_post: 'Snow #winter',
        second_cta_post: 'More poems',
        thank_you_text: 'Thanks',
        thank_you_url: 'https://books.example.com/winter',
      };
      const changed = await cards.update(card.id, values);
      expect(changed).toEqual({ ...renamed, ...values, updated_at: expect.any(String) });
      const removal = { third_cta: '', fourth_cta: '', fourth_cta_post: '', thank_you_url: '' };
      const smaller = await cards.update(card.id, removal);
      const { third_cta, third_cta_post, fourth_cta, fourth_cta_post, thank_you_url, ...left } = changed;
      expect(smaller).toEqual({ ...left, updated_at: expect.any(String) });
      for (const name of ['name', 'media_key', 'first_cta', 'first_cta_post', 'thank_you_text']) {
        const [error] = await stage.rejected(`${family}.update`, { card_id: card.id, [name]: '' });
        expect(error, name).toMatchObject({ parameter: name });
      }
      expect(await cards.get(card.id)).toEqual(smaller);
      await stage.rejected(`${family}.update`, { card_id: 'nosuch', name: 'x' }, 404);
    }),

    /** Deleted for good: nothing finds the card. */
    delete: on(async (cards, stage) => {
      const [card, kept] = [await cards.create(), await cards.create()];
      const { id: card_id, name, created_at, card_type } = card;
      const gone = await stage.one(`${family}.delete`, { card_id });
      expect(gone).toEqual({ name, id: card_id, created_at, updated_at: expect.any(String), deleted: true, card_type });
      for (const [verb, params] of [
        ['get', { with_deleted: true }],
        ['get', {}],
        ['update', { name: 'x' }],
        ['delete', {}],
      ] as const) {
        const errors = await stage.rejected(`${family}.${verb}`, { card_id, ...params }, 404);
        expect(errors, verb).toMatchObject([{ code: 'CARD_NOT_FOUND', parameter: 'card_id', value: card_id }]);
      }
      expect(await cards.list({ with_deleted: true })).toEqual([kept]);
      expect((await cards.create())['card_uri']).not.toBe(card['card_uri']);
    }),

    /** Filters, order and paging. */
    list: on(async (cards, stage) => {
      const media_key = await cards.media();
      const made: Entity[] = [];
      for (const name of ['Beech', 'apple', 'Änne', 'ash', 'aspen']) {
        stage.world.clock.advance(1000);
        made.push(await cards.create({ name, media_key }));
      }
      const names = async (params: Params) => (await cards.list(params)).map((card) => card['name']);
      expect(await names({})).toEqual(['aspen', 'ash', 'Änne', 'apple', 'Beech']);
      expect(await names({ q: 'AS' })).toEqual(['aspen', 'ash']);
      expect(await names({ q: 'ä' })).toEqual(['Änne']);
      expect(await names({ q: 'pple' })).toEqual([]);
      const [beech, apple] = made;
      expect(await names({ card_ids: [apple?.id, 'nosuch', beech?.id] })).toEqual(['apple', 'Beech']);
      expect(await names({ sort_by: ['name-asc'], count: 2 })).toEqual(['Änne', 'apple']);
      const { total_count, next_cursor } = await stage.call(`${family}.list`, { count: 2, with_total_count: true });
      expect([total_count, typeof next_cursor]).toEqual([5, 'string']);
      expect(await names({ count: 2, cursor: next_cursor })).toEqual(['Änne', 'apple']);
      for (const [name, value] of [
        ['q', 'q'.repeat(81)],
        ['count', 0],
        ['count', 1001],
        ['card_ids', Array.from({ length: 201 }, (_, i) => `${i}`)],
        ['sort_by', ['media_key-asc']],
      ] as const) {
        const outcome = await stage.call(`${family}.list`, { [name]: value });
        expect(outcome, name).toMatchObject({ ok: false, errors: [{ parameter: name }] });
      }
      expect(await names({ card_ids: Array.from({ length: 200 }, (_, i) => `${i}`), count: 1000 })).toEqual([]);
    }),
  };
}

/** Calls each operation of a family of cards on REST. @returns `request.params` of the responses, by verb */
export async function echoesOf(
  { world, account_id, user }: Stage,
  family: CardKind['family'] | 'poll_cards',
  creation: Params,
): Promise<Readonly<Record<string, unknown>>> {
  const ask = async (verb: string, params: Params) => {
    const operation = operationById.get(`${family}.${verb}`);
    if (operation?.kind !== 'ads') return undefined;
    const { status, body } = await world.request({ ...requestFor(operation, { account_id, ...params }), as: user });
    expect(status, verb).toBe(200);
    return { id: member(member(body, 'data'), 'id'), echo: member(member(body, 'request'), 'params') };
  };
  const created = await ask('create', creation);
  const card_id = created?.id;
  const echoes: Record<string, unknown> = { create: created?.echo };
  for (const [verb, params] of [
    ['update', { card_id, name: 'Other' }],
    ['get', { card_id }],
    ['list', { count: 1 }],
    ['delete', { card_id }],
  ] as const) {
    const called = await ask(verb, params);
    if (called) echoes[verb] = called.echo;
  }
  return echoes;
}

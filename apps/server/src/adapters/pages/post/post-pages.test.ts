import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PostView } from '../../../post-view/post-view.ts';
import { mediaAddress, outwardLink } from '../design/address.ts';
import { postHeaders } from '../policy.ts';
import { ParsedPage } from '../testing/parsed.ts';
import { postSamples, profileSample } from '../testing/post-samples.ts';
import { postPage, previewPage, previewProblemPage, timelinePage } from './post-pages.ts';

const named = Object.entries(postSamples);
const all: readonly PostView[] = Object.values(postSamples);
const pages: readonly (readonly [string, string])[] = [
  ...named.map(([name, view]) => [`${name} on a page`, postPage(view, undefined)] as const),
  ...named.map(([name, view]) => [`${name} in a preview`, previewPage(view)] as const),
  ['timeline', timelinePage({ person: profileSample, posts: all, newer: '1', older: '2' }, undefined)],
  ['empty timeline', timelinePage({ person: profileSample, posts: [], newer: null, older: null }, undefined)],
  ['protected timeline', timelinePage({ person: profileSample, posts: null, newer: null, older: null }, undefined)],
  ['no preview', previewProblemPage({ title: 'This preview has expired', message: 'Ask for another one.' })],
];

const LOCAL = /^(?:#[\w-]+|\/\w[\w./%?=-]*)$/;
const OUTWARD = /^https?:\/\//;

describe.each(pages)('%s', (_name, text) => {
  const page = new ParsedPage(text);

  test('is HTML without parse errors, with one first-level heading and no level left out', () => {
    expect(page.errors).toEqual([]);
    expect(page.all('main')).toHaveLength(1);
    const levels = page.all('h1', 'h2', 'h3').map(({ tag }) => Number(tag.slice(1)));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
  });

  test('runs nothing, has one style sheet of its own, and no style on elements', () => {
    expect(page.all('script', 'iframe', 'object', 'embed', 'template', 'form')).toEqual([]);
    const names = page.elements.flatMap(({ attributes }) => [...attributes.keys()]);
    expect(names.filter((name) => /^(?:on|style$|srcdoc$|formaction$|background$|ping$|autoplay$)/.test(name))).toEqual(
      [],
    );
    for (const base of page.all('base')) expect([...base.attributes]).toEqual([['target', '_blank']]);
    const [style, ...others] = page.all('style');
    expect(others).toEqual([]);
    const hash = createHash('sha256')
      .update(style?.text ?? '')
      .digest('base64');
    expect(postHeaders()['content-security-policy']).toContain(`style-src 'sha256-${hash}';`);
    expect(style?.text).not.toMatch(/url\(|@import/);
  });

  test('loads media of this server only', () => {
    const addresses = page.elements.flatMap((element) =>
      ['src', 'srcset', 'poster'].flatMap((name) => element.attribute(name) ?? []),
    );
    expect(addresses.filter((address) => !/^\/media\/[\w.-]+$/.test(address))).toEqual([]);
  });

  test('leads to its own server, or to sites that learn nothing of it', () => {
    for (const link of page.all('a')) {
      const target = link.attribute('href') ?? '';
      expect(
        link.text.trim() +
          link
            .all('img')
            .map((image) => image.attribute('alt'))
            .join(''),
      ).not.toBe('');
      if (!OUTWARD.test(target)) expect(target).toMatch(LOCAL);
      else expect(link.attribute('rel')).toBe('noopener noreferrer nofollow');
    }
  });

  test('has unique ids, refers to existing ones, and describes every picture', () => {
    const ids = page.elements.flatMap((element) => element.attribute('id') ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    const pointers = page.elements.flatMap((element) => [
      ...(element.attribute('for')?.split(' ') ?? []),
      ...(element
        .attribute('href')
        ?.match(/^#(.+)/)
        ?.slice(1) ?? []),
    ]);
    expect(pointers.filter((id) => !ids.includes(id))).toEqual([]);
    for (const image of page.all('img')) expect(image.attributes.has('alt')).toBe(true);
    for (const video of page.all('video')) expect(video.attribute('aria-label')).not.toBe('');
  });
});

/** Members that are no text of anybody: of a closed set, made by the server, or checked before they get here. */
const STRUCTURE = new Set([
  'kind',
  'path',
  'still',
  'url',
  'content_type',
  'avatar',
  'id',
  'media_key',
  'lang',
  'screen_name',
]);

/** A view in which every text that people write is replaced. */
function rewritten<Value>(value: Value, say: (text: string) => string): Value;
function rewritten(value: unknown, say: (text: string) => string): unknown {
  const member = (item: unknown, name: string): unknown => {
    if (typeof item === 'string') return STRUCTURE.has(name) || item === 'unavailable' ? item : say(item);
    if (Array.isArray(item)) return item.map((each: unknown) => member(each, name));
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, each]) => [key, member(each, key)]));
  };
  return member(value, '');
}

const hostile = fc.oneof(
  fc.constantFrom(
    '"><script>alert(1)</script>',
    "' onfocus='alert(1)' autofocus='",
    '</title></style></svg><img src=x onerror=alert(1)>',
    '<!--',
    '&lt;&amp;&#39;&quot',
    'javascript:alert(1)',
    '\u202egnp.\u2066\u2067',
    'a\u200b\u200d\u200c\ufeff'.repeat(20),
    'Z\u0310\u0311\u0312\u0313\u0314'.repeat(20),
    'W'.repeat(280),
    '\n'.repeat(40),
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 30 }),
  fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '-', '!', ' ', 'a', ';', '`'), maxLength: 12 }),
);

test.each(named)('%s shows each text as text, whatever it contains', (_name, view) => {
  const same = new ParsedPage(previewPage(rewritten(view, () => 'x')));
  fc.assert(
    fc.property(hostile, (payload) => {
      // Characters that a parser replaces by itself; and some text, because a blank one is not shown.
      const text = `${payload.replaceAll(/[\0\r]/g, '')}x`;
      const attacked = new ParsedPage(previewPage(rewritten(view, () => text)));
      expect(attacked.skeleton).toEqual(same.skeleton);
      expect(attacked.errors.filter((code) => !code.endsWith('-in-input-stream'))).toEqual([]);
      expect(attacked.words.join('\u0001')).toContain(text);
    }),
    { numRuns: 15 },
  );
});

describe('addresses', () => {
  test.each(['javascript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'harbourbooks://x', '/x'])(
    'a link never leads to %s',
    (url) => {
      expect(() => outwardLink(url)).toThrow(TypeError);
    },
  );

  test.each([
    'https://elsewhere.example/a.png',
    '//elsewhere.example/a',
    '/media/../settings"',
    '/s/abc',
    'data:image/png;base64,',
  ])('media never come from %s', (path) => {
    expect(() => mediaAddress('src', path)).toThrow(TypeError);
  });
});

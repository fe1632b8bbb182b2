import { describe, expect, test } from 'vitest';
import cases from './fixtures/conformance.json' with { type: 'json' };
import { extractEntities, weightedLength } from './index.ts';
import { topLevelDomains } from './top-level-domains.ts';

const options = { shortLinkHost: 's.co' };
const entities = (text: string) => extractEntities(text, options);
const exists = new Set(topLevelDomains.trim().split(/\s+/));

describe('the public cases of text processing', () => {
  test.each([...cases.links, ...cases.short_links])('links of %j', (text, expected) => {
    expect(entities(String(text)).urls.map(({ url }) => url)).toEqual(expected);
  });

  test.each(cases.link_offsets)('offsets of the links of %j', (text, expected) => {
    expect(entities(String(text)).urls.map(({ url, start, end }) => [url, start, end])).toEqual(expected);
  });

  test.each(cases.mentions)('mentions of %j', (text, expected) => {
    expect(entities(String(text)).mentions.map(({ username }) => username)).toEqual(expected);
  });

  test.each(cases.mention_offsets)('offsets of the mentions of %j', (text, expected) => {
    expect(entities(String(text)).mentions.map(({ username, start, end }) => [username, start, end])).toEqual(expected);
  });

  // The platform has no user lists: the name of one is not a mention of its owner.
  test.each(cases.names_of_lists)('offsets of the mentions among the list names in %j', (text, expected) => {
    expect(entities(String(text)).mentions.map(({ username, start, end }) => [username, start, end])).toEqual(expected);
  });

  test.each(cases.hashtags)('hashtags of %j', (text, expected) => {
    expect(entities(String(text)).hashtags.map(({ tag }) => tag)).toEqual(expected);
  });

  test.each(cases.hashtag_offsets)('offsets of the hashtags of %j', (text, expected) => {
    expect(entities(String(text)).hashtags.map(({ tag, start, end }) => [tag, start, end])).toEqual(expected);
  });

  test.each(cases.cashtags)('cashtags of %j', (text, expected) => {
    expect(entities(String(text)).cashtags.map(({ tag }) => tag)).toEqual(expected);
  });

  test.each(cases.cashtag_offsets)('offsets of the cashtags of %j', (text, expected) => {
    expect(entities(String(text)).cashtags.map(({ tag, start, end }) => [tag, start, end])).toEqual(expected);
  });

  test.each(cases.whole_mentions)('whether %j is a mention as a whole: %j', (text, expected) => {
    const [mention] = entities(String(text)).mentions;
    expect(mention?.end === String(text).length).toBe(expected);
  });

  test.each(cases.whole_hashtags)('whether %j is a hashtag as a whole: %j', (text, expected) => {
    const [hashtag] = entities(String(text)).hashtags;
    expect(hashtag?.end === String(text).length).toBe(expected);
  });

  test.each(cases.posts)('whether %j can be posted: %j', (text, expected) => {
    expect(weightedLength(String(text), options).valid).toBe(expected);
  });

  test.each(cases.weights)('the weight of %j', (text, weighted_length, permillage, valid, valid_end) => {
    const expected = { weighted_length, permillage, valid, valid_end };
    expect(weightedLength(String(text), options)).toMatchObject(expected);
  });

  test('a domain of the cases makes a link only if it has not been withdrawn from the root zone', () => {
    const linked = cases.domains.filter((domain) => {
      const text = `https://example.${domain}`;
      return entities(text).urls[0]?.url === text;
    });
    expect(linked).toEqual(cases.domains.filter((domain) => exists.has(domain)));
    expect(linked.length).toBeGreaterThan(1400);
  });

  // At that time a post was limited to 140 characters, and an emoji weighed as much as its parts.
  test.each(cases.older_rules)('$text follows the current rules, not the older ones', ({ text, weight, valid }) => {
    const found = weightedLength(text, options);
    if (weight !== undefined) expect(found.weighted_length).toBeLessThan(weight);
    if (valid !== undefined) expect(found.valid).toBe(true);
  });
});

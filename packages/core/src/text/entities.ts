import { type CashtagSpan, findCashtags } from './cashtags.ts';
import { findHashtags, type HashtagSpan } from './hashtags.ts';
import { searchedUnits } from './limits.ts';
import { displayUrl, expandedUrl } from './link-forms.ts';
import { findMentions, type MentionSpan } from './mentions.ts';
import { codePointCounter, withoutOverlaps } from './spans.ts';
import { findUrls, type UrlOptions, type UrlSpan } from './urls.ts';

/** Position of an entity in its text, in code points; the end is exclusive. */
export interface EntityRange {
  start: number;
  end: number;
}

/** A link. */
export interface UrlEntity extends EntityRange {
  /** As written in the text. */
  url: string;
  /** Absolute, with a scheme. */
  expanded_url: string;
  /** The form that is displayed. */
  display_url: string;
}

/** A mentioned user. It is unknown here whether the user exists. */
export interface MentionEntity extends EntityRange {
  username: string;
}

/** A hashtag or a cashtag, without its sign. */
export interface TagEntity extends EntityRange {
  tag: string;
}

/** Entities found in a text. Each list is in text order, and no two entities overlap. */
export interface TextEntities {
  urls: UrlEntity[];
  mentions: MentionEntity[];
  hashtags: TagEntity[];
  cashtags: TagEntity[];
}

/** Options of the extraction. */
export type ExtractOptions = UrlOptions;

/** An entity in code units of the text. */
type FoundEntity = UrlSpan | MentionSpan | HashtagSpan | CashtagSpan;

/**
 * Returns the entities of a text in code units, in order, without overlaps: the one that begins earlier wins. See
 * `searchedUnits`.
 */
export function findEntities(text: string, options: ExtractOptions = {}): FoundEntity[] {
  const read = text.slice(0, searchedUnits);
  const found = [findUrls(read, options), findMentions(read), findHashtags(read), findCashtags(read)];
  return withoutOverlaps<FoundEntity>(found.flat());
}

/**
 * Finds links, mentions, hashtags and cashtags in the text of a post. The text is used as it is: normalise it first if
 * it is stored normalised. Any text is safe: the cost is linear in its length, and a text far longer than any post is
 * not read to its end.
 */
export function extractEntities(text: string, options: ExtractOptions = {}): TextEntities {
  const entities: TextEntities = { urls: [], mentions: [], hashtags: [], cashtags: [] };
  const points = codePointCounter(text);
  for (const entity of findEntities(text, options)) {
    add(entities, entity, points(entity.start), points(entity.end));
  }
  return entities;
}

/** Returns the words of a text: the rest without links, mentions, hashtags and cashtags. */
export function withoutEntities(text: string, options: ExtractOptions = {}): string {
  let words = '';
  let end = 0;
  for (const entity of findEntities(text, options)) {
    words += `${text.slice(end, entity.start)} `;
    end = entity.end;
  }
  return words + text.slice(end);
}

function add(entities: TextEntities, entity: FoundEntity, start: number, end: number): void {
  switch (entity.kind) {
    case 'url': {
      const { url } = entity;
      entities.urls.push({ start, end, url, expanded_url: expandedUrl(url), display_url: displayUrl(url) });
      return;
    }
    case 'mention':
      entities.mentions.push({ start, end, username: entity.username });
      return;
    case 'hashtag':
      entities.hashtags.push({ start, end, tag: entity.tag });
      return;
    case 'cashtag':
      entities.cashtags.push({ start, end, tag: entity.tag });
  }
}

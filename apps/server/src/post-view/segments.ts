/** A text in segments: plain words, links, mentions and tags. */
import { parseJson } from '@broadside/core';
import { displayUrl, extractEntities } from '@broadside/core/text';
import { outwardUrl } from './outward-url.ts';
import type { Segment } from './post-view.ts';

/** The place of a segment, in code points, and what stands there. */
interface Placed {
  readonly start: number;
  readonly end: number;
  readonly segment: (written: string) => Segment;
}

/**
 * Divides the text of a published post by its stored entities.
 * @param entities JSON as in the post object
 */
export function publishedSegments(text: string, entities: string | null): readonly Segment[] {
  const stored: unknown = entities === null ? {} : parseJson(entities);
  return divide(text, [
    ...listed(stored, 'urls', (item) => linkTo(textOf(item, 'expanded_url'), textOf(item, 'display_url'))),
    ...listed(stored, 'mentions', (item) =>
      // Without an id, nobody of that name was there.
      textOf(item, 'id') === undefined ? undefined : mentionOf(textOf(item, 'username')),
    ),
    ...listed(stored, 'hashtags', () => tag),
    ...listed(stored, 'cashtags', () => tag),
  ]);
}

/**
 * Divides a text that is not published yet.
 * @param people the screen names that exist among those mentioned, in lower case
 */
export function draftSegments(text: string, people: ReadonlySet<string>): readonly Segment[] {
  const { urls, mentions, hashtags, cashtags } = extractEntities(text);
  return divide(text, [
    ...urls.map(({ start, end, expanded_url, display_url }) => ({
      start,
      end,
      segment: linkTo(expanded_url, display_url),
    })),
    ...mentions.flatMap(({ start, end, username }) =>
      people.has(username.toLowerCase()) ? [{ start, end, segment: mentionOf(username) }] : [],
    ),
    ...[...hashtags, ...cashtags].map(({ start, end }) => ({ start, end, segment: tag })),
  ]);
}

/** Returns the screen names that a text mentions. */
export function mentionedIn(text: string): string[] {
  return extractEntities(text).mentions.map(({ username }) => username);
}

type Make = (written: string) => Segment;

const tag: Make = (text) => ({ kind: 'tag', text });

function linkTo(expanded = '', display?: string): Make {
  const url = outwardUrl(expanded);
  return (written) =>
    url === null ? { kind: 'text', text: written } : { kind: 'link', text: display ?? displayUrl(written), url };
}

function mentionOf(screen_name = ''): Make {
  return (text) => ({ kind: 'mention', text, screen_name });
}

function divide(text: string, places: readonly Placed[]): readonly Segment[] {
  const points = Array.from(text);
  const segments: Segment[] = [];
  let at = 0;
  const say = (end: number) => {
    if (end > at) segments.push({ kind: 'text', text: points.slice(at, end).join('') });
  };
  for (const { start, end, segment } of places.toSorted((a, b) => a.start - b.start)) {
    if (start < at || end <= start || end > points.length) continue;
    say(start);
    segments.push(segment(points.slice(start, end).join('')));
    at = end;
  }
  say(points.length);
  return segments;
}

function listed(entities: unknown, name: string, make: (item: object) => Make | undefined): Placed[] {
  const list: unknown = typeof entities === 'object' && entities !== null ? Reflect.get(entities, name) : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown): Placed[] => {
    if (typeof item !== 'object' || item === null) return [];
    const start = Number(Reflect.get(item, 'start'));
    const end = Number(Reflect.get(item, 'end'));
    const segment = make(item);
    return segment && Number.isInteger(start) && Number.isInteger(end) ? [{ start, end, segment }] : [];
  });
}

function textOf(item: object, name: string): string | undefined {
  const value: unknown = Reflect.get(item, name);
  return typeof value === 'string' ? value : undefined;
}

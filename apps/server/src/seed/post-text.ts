import { emoji, type Language, type LanguageCode, languages } from './languages.ts';
import { at, kinds, type WorldPlan } from './plan.ts';
import type { Stream } from './stream.ts';
import { listSeparators, type Subject, subjects } from './subjects.ts';

/** Text of a generated post. */
export interface WrittenPost {
  readonly text: string;
  readonly lang: LanguageCode;
}

const HOSTS = ['blog.example.com', 'news.example.org', 'shop.example.net', 'radio.example.com', 'www.example.org'];
const SECTIONS = ['2026', 'notes', 'gallery', 'events', 'guide'];

/**
 * Generates the text of a post, the same one on each call. A repost repeats the text of its original, so texts are
 * short enough for the prefix.
 * @param names the screen names of all people, in their order
 */
export function writePost(plan: WorldPlan, names: readonly string[], post: number): WrittenPost {
  const { seed, posts, users } = plan;
  const kind = at(posts.kind, post);
  const target = at(posts.target, post);
  if (kind === kinds.repost) {
    const { text, lang } = writePost(plan, names, target);
    return { text: `RT @${names[at(posts.author, target)]}: ${text}`, lang };
  }
  const stream = seed.stream('text', post);
  // Those who occasionally write in another language use English.
  const home = users.place[at(posts.author, post)]?.language ?? 'en';
  const lang = stream.chance(0.94) ? home : 'en';
  const language = languages[lang];
  const parts: string[] = [];
  if (kind === kinds.reply) parts.push(`@${names[at(posts.author, target)]}`);
  const subject = stream.chance(0.3) ? stream.pick(subjects[lang]) : undefined;
  const topic = subject ? wordsAbout(stream, subject, lang) : stream.pick(language.topics);
  parts.push(sentences(stream, language, kind, topic));
  if (stream.chance(0.3)) parts.push(stream.pick(emoji));
  if (kind !== kinds.reply && stream.chance(0.12)) parts.push(`@${names[acquaintance(plan, stream, post)]}`);
  if (kind !== kinds.quote && stream.chance(0.2)) parts.push(link(stream));
  if (stream.chance(0.35)) parts.push(`#${stream.pick(subject?.words ?? language.tags)}`);
  if (stream.chance(0.1)) parts.push(`#${stream.pick(language.tags)}`);
  return { text: parts.join(' '), lang };
}

function sentences(stream: Stream, language: Language, kind: number, topic: string): string {
  const { openings, remarks, replies, comments } = language;
  const lead =
    kind === kinds.original || stream.chance(0.3)
      ? stream
          .pick(openings)
          .replace('{t}', topic)
          .replace('{n}', `${2 + stream.below(90)}`)
      : stream.pick(kind === kinds.reply ? replies : comments);
  return stream.chance(0.45) ? `${lead} ${stream.pick(remarks)}` : lead;
}

/** Returns a few words of a subject, mostly with its name. */
function wordsAbout(stream: Stream, { name, words }: Subject, lang: LanguageCode): string {
  const picked = new Set(stream.chance(0.6) ? [name] : []);
  for (let i = 0; i < 3; i++) picked.add(stream.pick(words));
  return [...picked].join(listSeparators[lang] ?? ', ');
}

/** Picks an account that the author follows; anybody if there is none. */
function acquaintance({ follows, users, posts }: WorldPlan, stream: Stream, post: number): number {
  const author = at(posts.author, post);
  const first = at(follows.first, author);
  const count = at(follows.first, author + 1) - first;
  return count > 0 ? at(follows.followed, first + stream.below(count)) : stream.below(users.count);
}

function link(stream: Stream): string {
  return `https://${stream.pick(HOSTS)}/${stream.pick(SECTIONS)}/${1 + stream.below(9999)}`;
}

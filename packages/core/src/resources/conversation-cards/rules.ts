/** Rules on what conversation cards say (specification B, Image conversation cards, Video conversation cards). */
import { changed } from '../../operation/changes.ts';
import { extractEntities, weightedLength, weightLimit } from '../../text/index.ts';
import { type Issue, invalidParameter, missingParameter } from '../../wire/issues.ts';
import { type Conversation, MAX_CTA } from './entity.ts';

type Needed = 'name' | 'first_cta' | 'first_cta_post' | 'thank_you_text';

/** Values that a new conversation card is given. */
export type ConversationCreate = Pick<Conversation, Needed> & {
  readonly [Name in Exclude<keyof Conversation, Needed>]?: NonNullable<Conversation[Name]> | undefined;
};

/** Values to which a conversation card changes; null removes one. */
export type ConversationChanges = { readonly [Name in keyof Conversation]?: Conversation[Name] | undefined };

/** An issue of what a conversation card says. */
export type ConversationIssue = Issue<'INCLUSIVE_PARAMETERS' | 'INVALID_PARAMETER' | 'MISSING_PARAMETER'>;

/** The calls to action and what is posted with each, in their order. */
export const callsToAction = [
  ['first_cta', 'first_cta_post'],
  ['second_cta', 'second_cta_post'],
  ['third_cta', 'third_cta_post'],
  ['fourth_cta', 'fourth_cta_post'],
] as const;

/** Returns what a new card says, as stored. */
export function resolveConversation(given: ConversationCreate): Conversation {
  return {
    name: given.name,
    title: given.title ?? null,
    first_cta: given.first_cta,
    first_cta_post: given.first_cta_post,
    second_cta: given.second_cta ?? null,
    second_cta_post: given.second_cta_post ?? null,
    third_cta: given.third_cta ?? null,
    third_cta_post: given.third_cta_post ?? null,
    fourth_cta: given.fourth_cta ?? null,
    fourth_cta_post: given.fourth_cta_post ?? null,
    thank_you_text: given.thank_you_text,
    thank_you_url: given.thank_you_url ?? null,
  };
}

/** Returns what a card says after a change. A call to action that is removed takes its text along (our choice). */
export function changeConversation(current: Conversation, changes: ConversationChanges): Conversation {
  return {
    name: changes.name ?? current.name,
    title: changed(current.title, changes.title),
    first_cta: changes.first_cta ?? current.first_cta,
    first_cta_post: changes.first_cta_post ?? current.first_cta_post,
    second_cta: changed(current.second_cta, changes.second_cta),
    second_cta_post: changedPost(current.second_cta_post, changes.second_cta, changes.second_cta_post),
    third_cta: changed(current.third_cta, changes.third_cta),
    third_cta_post: changedPost(current.third_cta_post, changes.third_cta, changes.third_cta_post),
    fourth_cta: changed(current.fourth_cta, changes.fourth_cta),
    fourth_cta_post: changedPost(current.fourth_cta_post, changes.fourth_cta, changes.fourth_cta_post),
    thank_you_text: changes.thank_you_text ?? current.thank_you_text,
    thank_you_url: changed(current.thank_you_url, changes.thank_you_url),
  };
}

function changedPost(
  current: string | null,
  cta: string | null | undefined,
  post: string | null | undefined,
): string | null {
  return cta === null && post === undefined ? null : changed(current, post);
}

/**
 * Checks what a conversation card says, a new one or one after its change: a title or a second call to action, a text to
 * post with each call to action, and the length of both. Our choices: a text without its call to action is rejected, and
 * calls to action after the first need not be hashtags, of which the specification speaks at the first only.
 */
export function checkConversation(card: Conversation): ConversationIssue[] {
  const issues: ConversationIssue[] = [];
  if (card.title === null && card.second_cta === null) {
    issues.push(missingParameter('title', 'without "second_cta"; give one of them or both'));
  }
  for (const [cta, post] of callsToAction) {
    const [action, text] = [card[cta], card[post]];
    if (action !== null) issues.push(...checkCta(cta, action));
    if (action !== null && text === null) issues.push(missingParameter(post, `with "${cta}"`));
    if (action === null && text !== null) {
      const message = `"${post}" is posted by those who choose "${cta}"; give that too`;
      issues.push({ error: 'INCLUSIVE_PARAMETERS', parameter: post, value: text, message });
    }
    if (text !== null) issues.push(...checkPost(post, text));
  }
  return issues;
}

function checkCta(name: string, value: string): ConversationIssue[] {
  const isTag = value.startsWith('#') || value.startsWith('＃');
  const shown = isTag ? value.slice(1) : value;
  if ([...shown].length > MAX_CTA) {
    const message = `Expected up to ${MAX_CTA} characters, a # in front not counted, for ${name}`;
    return [{ ...invalidParameter(name, value, message), details: 'invalid length' }];
  }
  if ((isTag || name === 'first_cta') && !isHashtag(value)) {
    const message = `Expected a hashtag, a # and letters, digits or underscores with at least one letter, for ${name}`;
    return [invalidParameter(name, value, message)];
  }
  if (shown.trim() !== '') return [];
  return [invalidParameter(name, value, `Expected a text that is not blank for ${name}`)];
}

/** Returns whether a text is one hashtag and nothing else. */
function isHashtag(value: string): boolean {
  const [tag] = extractEntities(value).hashtags;
  return tag?.start === 0 && tag.end === [...value].length;
}

function checkPost(name: string, value: string): ConversationIssue[] {
  const { weighted_length, valid } = weightedLength(value);
  if (valid && value.trim() !== '') return [];
  const reason =
    weighted_length > weightLimit
      ? `text of up to ${weightLimit} in weighted length, got one of ${weighted_length}`
      : 'text that can be posted, neither blank nor with invalid characters';
  return [invalidParameter(name, value, `Expected ${reason} for ${name}`)];
}

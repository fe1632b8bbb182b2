/** Rules on the content of posts that are not published yet. */
import { changed } from '../../operation/changes.ts';
import type { Issue } from '../../wire/issues.ts';
import { checkCardOrMedia, checkPostText } from '../posts/rules.ts';
import type { ContentChanges, ContentOfNew } from './params.ts';

/** The content of a post, as it is stored. */
export interface Content {
  /** Empty when it says nothing. */
  text: string;
  card_uri: string | null;
  media_keys: string[];
  nullcast: boolean;
  name: string | null;
}

/** The errors with which content can be rejected. */
export type ContentError = 'EXCLUSIVE_PARAMETERS' | 'INVALID_POST' | 'MISSING_PARAMETER' | 'POST_CANNOT_BE_BLANK';

/** Returns the content to be stored. */
export function resolveContent({ text, card_uri, media_keys, nullcast, name }: ContentOfNew): Content {
  return { text: text ?? '', card_uri: card_uri ?? null, media_keys: media_keys ?? [], nullcast, name: name ?? null };
}

/** Returns the content after a change. */
export function changeContent(current: Content, changes: ContentChanges): Content {
  return {
    text: changed(current.text, changes.text) ?? '',
    card_uri: changed(current.card_uri, changes.card_uri),
    media_keys: changed(current.media_keys, changes.media_keys) ?? [],
    nullcast: changes.nullcast ?? current.nullcast,
    name: changed(current.name, changes.name),
  };
}

/** Checks what a new post says and shows, apart from which media those are. */
export function checkContentOfNew({ text, card_uri, media_keys }: ContentOfNew): Issue<ContentError>[] {
  return [...checkPostText({ text, media_keys }), ...checkCardOrMedia({ media_keys, card_uri })];
}

/** Checks the same of the result of a change. */
export function checkContent({
  text,
  card_uri,
  media_keys,
}: Content): Issue<Exclude<ContentError, 'MISSING_PARAMETER'>>[] {
  const issues = checkPostText({ text, media_keys }).flatMap(({ error, ...issue }) =>
    // The text is never missing: it is empty then.
    error === 'MISSING_PARAMETER' ? [] : [{ error, ...issue }],
  );
  return [...issues, ...checkCardOrMedia({ media_keys, card_uri: card_uri ?? undefined })];
}

import { text } from '../../wire/types.ts';

/** The reason of a decision on a person, an app, a post or a creative. */
export const reason = text({ max: 500 });

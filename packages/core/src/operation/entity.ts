/** Members that all stored entities have. */
import { computed } from '../wire/computed.ts';
import { boolean, time } from '../wire/types.ts';

/** Creates the schemas of these members, with descriptions for one family. */
export function systemMembers(texts: {
  readonly created_at: string;
  readonly updated_at?: string;
  readonly deleted: string;
}) {
  return {
    created_at: time().describe(texts.created_at),
    updated_at: computed(time().describe(texts.updated_at ?? 'When this last changed.')),
    deleted: boolean().describe(texts.deleted),
  };
}

/** These members in examples. */
export const exampleSystemMembers = {
  created_at: '2026-01-15T08:00:00Z',
  updated_at: '2026-01-15T08:00:00Z',
  deleted: false,
} as const;

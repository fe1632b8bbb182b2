/**
 * What becomes of each table when a person is deleted. A table that is in no list fails the test of deletions; so does a column that names people and
 * is not listed.
 */

/** Columns of a table that hold ids of people. */
interface NamedPeople {
  /** Rows that go with the person. Each of these columns is one by which they are found. */
  readonly deleted?: readonly string[];
  /** Columns that keep the id, and why. */
  readonly kept?: Readonly<Record<string, string>>;
}

/** Tables that name people, by store. */
export const namedPeople: Readonly<Record<'platform' | 'advertising', Readonly<Record<string, NamedPeople>>>> = {
  platform: {
    users: { deleted: ['id'] },
    access_tokens: { deleted: ['user_id'] },
    apps: { deleted: ['owner_user_id'] },
    follows: { deleted: ['follower_id', 'followed_id'] },
    likes: { deleted: ['user_id'] },
    notifications: { deleted: ['user_id'] },
    poll_votes: { deleted: ['user_id'] },
    posts: {
      deleted: ['author_id'],
      kept: {
        in_reply_to_user_id: 'replies of others stay, and refer to nothing',
        contributor_id: 'posts of others stay; their composer is shown to nobody',
      },
    },
    request_tokens: { deleted: ['user_id'] },
    sessions: { deleted: ['user_id'] },
    media: {
      kept: {
        owner_user_id: 'the bytes are deleted; media that an account has used, or that were shared, keep their row',
        additional_owners: 'media of others stay',
      },
    },
    change_log: { kept: { change_by_user_id: 'of changes, ids and times stay: history and audit count on them' } },
    audience_changes: { kept: { id: 'the next changes push it out', other_id: 'the next changes push it out' } },
  },
  advertising: {
    account_access: { deleted: ['user_id'] },
    draft_posts: { deleted: ['user_id'] },
    scheduled_posts: {
      deleted: ['user_id'],
      kept: { contributor_id: 'posts in the name of others stay' },
    },
    change_log: { kept: { change_by_user_id: 'of changes, ids and times stay: history and audit count on them' } },
    curated_categories: { kept: { publisher_user_ids: 'the catalogue is the operator’s' } },
    publishers: { kept: { id: 'the catalogue is the operator’s' } },
    line_items: { kept: { advertiser_user_id: 'what an account advertises is its own' } },
    promotable_users: { kept: { user_id: 'what an account may promote is its own' } },
    promoted_accounts: { kept: { user_id: 'what an account promotes is its own' } },
  },
};

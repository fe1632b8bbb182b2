import { type SQL, sql } from 'drizzle-orm';
import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { flag, int, long, words } from '../db/columns.ts';

/** The range of a person by their id: what `rangeOf` of `audience/ranges.ts` gives. */
export const rangeOfPerson: SQL<number> = sql`((((((cast("id" as integer) >> 32) & 4294967295) % 2147483647) * 2 + (cast("id" as integer) & 4294967295)) % 2147483647 * 2654435761) & 4294967295) >> 23`;

/** People. `screen_name_folded` makes names unique whatever their case. */
export const users = sqliteTable(
  'users',
  {
    id: text('id').primaryKey(),
    screen_name: text('screen_name').notNull(),
    screen_name_folded: text('screen_name_folded').notNull(),
    name: text('name').notNull(),
    /** argon2id, in PHC format. */
    password_hash: text('password_hash').notNull(),
    created_at: text('created_at').notNull(),
    description: text('description').notNull().default(''),
    location: text('location'),
    url: text('url'),
    profile_image_url: text('profile_image_url'),
    /** Two capital letters: the country that the platform takes the person to be in. */
    country: text('country'),
    /**
     * Private traits of the person for targeting, never disclosed: the targeting value of the smallest place,
     * the date of birth, 1 for men and 2 for women, and JSON arrays of targeting values.
     */
    place: text('place'),
    birth_date: text('birth_date'),
    gender: int('gender').$type<1 | 2>(),
    languages: words<string>('languages'),
    platforms: words<string>('platforms'),
    interests: words<string>('interests'),
    /** Private identifiers of the person, normalized as before hashing, never disclosed: members of audiences are matched by them. */
    email: text('email'),
    phone_numbers: words<string>('phone_numbers'),
    devices: words<string>('devices'),
    protected: flag('protected').notNull().default(false),
    verified: flag('verified').notNull().default(false),
    /** The platform has suspended the person: nobody sees their posts, and what is called in their name is rejected. */
    suspended: flag('suspended').notNull().default(false),
    /** What the operator gave as the reason for the suspension. */
    suspended_reason: text('suspended_reason'),
    /**
     * When all that is held on the person is deleted; null unless the operator has asked for that. Until then it is suspended, and
     * `stays_suspended` says whether it was before and will be again when the deletion is cancelled.
     */
    delete_at: text('delete_at'),
    stays_suspended: flag('stays_suspended').notNull().default(false),
    pinned_post_id: long('pinned_post_id'),
    /** Entities of url and description, in the format of responses. */
    entities: text('entities'),
    withheld: text('withheld'),
    /** Counters, updated by the writes that change them. */
    followers_count: int('followers_count').notNull().default(0),
    following_count: int('following_count').notNull().default(0),
    post_count: int('post_count').notNull().default(0),
    listed_count: int('listed_count').notNull().default(0),
  },
  (table) => [
    uniqueIndex('users_screen_name').on(table.screen_name_folded),
    // A worker that has some ranges of people reads nobody else.
    index('users_by_range').on(rangeOfPerson),
  ],
);

/** Client applications. OAuth 1.0a needs the secret itself, so it is encrypted under a key outside the database. */
export const apps = sqliteTable(
  'apps',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    name_folded: text('name_folded').notNull(),
    owner_user_id: text('owner_user_id').notNull(),
    access_level: text('access_level').$type<'read' | 'write'>().notNull(),
    consumer_key: text('consumer_key').notNull(),
    consumer_secret_sealed: text('consumer_secret_sealed').notNull(),
    created_at: text('created_at').notNull(),
    updated_at: text('updated_at').notNull().default(''),
    description: text('description').notNull().default(''),
    callback_urls: words<string>('callback_urls').notNull().default([]),
    sign_in_enabled: flag('sign_in_enabled').notNull().default(false),
    oob_enabled: flag('oob_enabled').notNull().default(true),
    suspended: flag('suspended').notNull().default(false),
    /** What the operator gave as the reason for the suspension. */
    suspended_reason: text('suspended_reason'),
    /**
     * When all that is held on the app is deleted; null unless the operator has asked for that. Until then it is suspended, and
     * `stays_suspended` says whether it was before and will be again when the deletion is cancelled.
     */
    delete_at: text('delete_at'),
    stays_suspended: flag('stays_suspended').notNull().default(false),
    /** Sites that may frame previews of posts; any when there are none. */
    frame_origins: words<string>('frame_origins').notNull().default([]),
  },
  (table) => [
    uniqueIndex('apps_consumer_key').on(table.consumer_key),
    uniqueIndex('apps_name').on(table.name_folded),
    index('apps_by_owner').on(table.owner_user_id),
  ],
);

/** OAuth 1.0a access tokens. */
export const accessTokens = sqliteTable(
  'access_tokens',
  {
    token: text('token').primaryKey(),
    secret_sealed: text('secret_sealed').notNull(),
    app_id: text('app_id').notNull(),
    user_id: text('user_id').notNull(),
    access_level: text('access_level').$type<'read' | 'write'>().notNull(),
    created_at: text('created_at').notNull(),
    /** Null while the token is valid. */
    revoked_at: text('revoked_at'),
    /** True where a person's approval created it: such a token is returned again to the same app. */
    by_approval: flag('by_approval').notNull().default(false),
  },
  (table) => [index('access_tokens_by_user').on(table.user_id, table.app_id)],
);

/** App-only bearer tokens, as hashes: a copy of the database opens nothing. */
export const bearerTokens = sqliteTable(
  'bearer_tokens',
  {
    token_hash: text('token_hash').primaryKey(),
    app_id: text('app_id').notNull(),
    created_at: text('created_at').notNull(),
    /** Null while the token is valid. */
    revoked_at: text('revoked_at'),
    /** The token is derived from this and a key outside the database, so that it can be issued again. */
    salt: text('salt'),
  },
  (table) => [index('bearer_tokens_by_app').on(table.app_id)],
);

/** OAuth 1.0a request tokens, by hash. A row outlives its exchange, so that a second one is recognized. */
export const requestTokens = sqliteTable(
  'request_tokens',
  {
    token_hash: text('token_hash').primaryKey(),
    secret_sealed: text('secret_sealed').notNull(),
    app_id: text('app_id').notNull(),
    /** The callback URL, or `oob`. */
    callback: text('callback').notNull(),
    access_level: text('access_level').$type<'read' | 'write'>().notNull(),
    created_at: text('created_at').notNull(),
    expires_at: text('expires_at').notNull(),
    state: text('state').$type<'issued' | 'authorized' | 'cancelled' | 'used'>().notNull(),
    /** The user who approved. */
    user_id: text('user_id'),
    /** A hash under a key from outside the database: a PIN has too few digits for a plain one. */
    verifier_hash: text('verifier_hash'),
    /** Wrong verifiers so far. */
    failures: int('failures').notNull().default(0),
  },
  (table) => [index('request_tokens_by_expiry').on(table.expires_at)],
);

/** People who are signed in, by the hash of what their browser holds. Times are the wall clock's, as cookies are. */
export const sessions = sqliteTable(
  'sessions',
  {
    id_hash: text('id_hash').primaryKey(),
    user_id: text('user_id').notNull(),
    created_ms: int('created_ms').notNull(),
    expires_ms: int('expires_ms').notNull(),
  },
  (table) => [index('sessions_by_user').on(table.user_id), index('sessions_by_expiry').on(table.expires_ms)],
);

/** Random keys of the platform, each made once and sealed like any secret. */
export const platformKeys = sqliteTable('platform_keys', {
  name: text('name').primaryKey(),
  key_sealed: text('key_sealed').notNull(),
  created_at: text('created_at').notNull(),
});

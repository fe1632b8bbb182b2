import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

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
  },
  (table) => [uniqueIndex('users_screen_name').on(table.screen_name_folded)],
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
  },
  (table) => [uniqueIndex('apps_consumer_key').on(table.consumer_key), uniqueIndex('apps_name').on(table.name_folded)],
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
  },
  (table) => [index('access_tokens_by_user').on(table.user_id, table.app_id)],
);

/** App-only bearer tokens, as hashes: a copy of the database opens nothing. */
export const bearerTokens = sqliteTable('bearer_tokens', {
  token_hash: text('token_hash').primaryKey(),
  app_id: text('app_id').notNull(),
  created_at: text('created_at').notNull(),
  revoked_at: text('revoked_at'),
});

CREATE TABLE `likes` (
	`post_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`created_ms` integer NOT NULL,
	PRIMARY KEY(`post_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `posts` (
	`id` integer PRIMARY KEY NOT NULL,
	`author_id` integer NOT NULL,
	`created_ms` integer NOT NULL,
	`text` text NOT NULL,
	`lang` text NOT NULL,
	`source` text NOT NULL,
	`conversation_id` integer NOT NULL,
	`in_reply_to_user_id` integer,
	`replied_to_id` integer,
	`quoted_id` integer,
	`reposted_id` integer,
	`possibly_sensitive` integer NOT NULL,
	`reply_settings` text NOT NULL,
	`nullcast` integer NOT NULL,
	`entities` text,
	`context_annotations` text,
	`media_keys` text,
	`poll` text,
	`place` text,
	`coordinates` text,
	`withheld` text,
	`repost_count` integer DEFAULT 0 NOT NULL,
	`reply_count` integer DEFAULT 0 NOT NULL,
	`like_count` integer DEFAULT 0 NOT NULL,
	`quote_count` integer DEFAULT 0 NOT NULL,
	`impression_count` integer DEFAULT 0 NOT NULL,
	`url_link_clicks` integer DEFAULT 0 NOT NULL,
	`user_profile_clicks` integer DEFAULT 0 NOT NULL,
	`deleted_ms` integer
);
--> statement-breakpoint
CREATE INDEX `posts_by_author` ON `posts` (`author_id`,`id`);--> statement-breakpoint
CREATE INDEX `posts_by_reposted` ON `posts` (`reposted_id`,`author_id`) WHERE "posts"."reposted_id" is not null;--> statement-breakpoint
CREATE TABLE `follows` (
	`follower_id` integer NOT NULL,
	`followed_id` integer NOT NULL,
	`state` text NOT NULL,
	`created_ms` integer NOT NULL,
	PRIMARY KEY(`follower_id`, `followed_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `follows_by_followed` ON `follows` (`followed_id`,`state`);--> statement-breakpoint
CREATE TABLE `media` (
	`id` integer PRIMARY KEY NOT NULL,
	`media_key` text NOT NULL,
	`owner_user_id` integer NOT NULL,
	`additional_owners` text NOT NULL,
	`category` text NOT NULL,
	`category_given` integer NOT NULL,
	`state` text NOT NULL,
	`error` text,
	`content_type` text NOT NULL,
	`kind` text,
	`total_bytes` integer NOT NULL,
	`width` integer,
	`height` integer,
	`duration_ms` integer,
	`bit_rate` integer,
	`blob_key` text,
	`preview_blob_key` text,
	`alt_text` text,
	`view_count` integer DEFAULT 0 NOT NULL,
	`created_ms` integer NOT NULL,
	`expires_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `media_by_key` ON `media` (`media_key`);--> statement-breakpoint
CREATE INDEX `media_by_expiry` ON `media` (`expires_ms`);--> statement-breakpoint
CREATE TABLE `media_segments` (
	`media_id` integer NOT NULL,
	`segment_index` integer NOT NULL,
	`size` integer NOT NULL,
	`blob_key` text NOT NULL,
	PRIMARY KEY(`media_id`, `segment_index`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `jobs` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`due_ms` integer NOT NULL,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `jobs_by_time` ON `jobs` (`due_ms`);--> statement-breakpoint
ALTER TABLE `users` ADD `description` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `location` text;--> statement-breakpoint
ALTER TABLE `users` ADD `url` text;--> statement-breakpoint
ALTER TABLE `users` ADD `profile_image_url` text;--> statement-breakpoint
ALTER TABLE `users` ADD `country` text;--> statement-breakpoint
ALTER TABLE `users` ADD `protected` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `verified` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `pinned_post_id` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `entities` text;--> statement-breakpoint
ALTER TABLE `users` ADD `withheld` text;--> statement-breakpoint
ALTER TABLE `users` ADD `followers_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `following_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `post_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `listed_count` integer DEFAULT 0 NOT NULL;
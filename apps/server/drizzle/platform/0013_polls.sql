CREATE TABLE `poll_votes` (
	`poll_id` integer NOT NULL,
	`user_id` integer NOT NULL,
	`choice` integer NOT NULL,
	`created_ms` integer NOT NULL,
	PRIMARY KEY(`poll_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `polls` (
	`id` integer PRIMARY KEY NOT NULL,
	`choices` text NOT NULL,
	`duration_minutes` integer NOT NULL,
	`start_ms` integer NOT NULL,
	`end_ms` integer NOT NULL,
	`media_key` text,
	`votes_1` integer DEFAULT 0 NOT NULL,
	`votes_2` integer DEFAULT 0 NOT NULL,
	`votes_3` integer DEFAULT 0 NOT NULL,
	`votes_4` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE `posts` DROP COLUMN `poll`;
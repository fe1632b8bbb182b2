CREATE TABLE `library_media` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`media_type` text NOT NULL,
	`name` text,
	`file_name` text,
	`title` text,
	`description` text,
	`poster_media_key` text,
	`terms` text NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `library_media_by_seq` ON `library_media` (`account_id`,`seq`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE TABLE `library_terms` (
	`account_id` text NOT NULL,
	`term` text NOT NULL,
	`seq` integer NOT NULL,
	PRIMARY KEY(`account_id`, `term`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `media_creatives_by_account_media` ON `media_creatives` (`account_id`,`account_media_id`);
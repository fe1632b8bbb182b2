CREATE TABLE `draft_posts` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`name` text,
	`name_folded` text,
	`text` text NOT NULL,
	`user_id` text NOT NULL,
	`nullcast` integer NOT NULL,
	`card_uri` text,
	`media_keys` text NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `draft_posts_by_creation` ON `draft_posts` (`account_id`,`user_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `draft_posts_by_name` ON `draft_posts` (`account_id`,`name_folded`);--> statement-breakpoint
CREATE TABLE `scheduled_posts` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`name` text,
	`name_folded` text,
	`text` text NOT NULL,
	`user_id` text NOT NULL,
	`scheduled_at` text NOT NULL,
	`scheduled_status` text NOT NULL,
	`completed_at` text,
	`post_id` text,
	`nullcast` integer NOT NULL,
	`card_uri` text,
	`media_keys` text NOT NULL,
	`failure` text,
	`contributor_id` text,
	`publishing` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `scheduled_posts_by_creation` ON `scheduled_posts` (`account_id`,`user_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `scheduled_posts_by_name` ON `scheduled_posts` (`account_id`,`name_folded`);--> statement-breakpoint
CREATE INDEX `scheduled_posts_by_time` ON `scheduled_posts` (`account_id`,`scheduled_at`);
CREATE TABLE `do_not_reach_lists` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`description` text,
	`processing` integer NOT NULL,
	`matched_count` integer,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `do_not_reach_lists_by_account` ON `do_not_reach_lists` (`account_id`) WHERE "deleted" = 0;
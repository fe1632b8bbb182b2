CREATE TABLE `notifications` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`environment` text NOT NULL,
	`account_id` text NOT NULL,
	`draft_post_id` text NOT NULL,
	`title` text NOT NULL,
	`created_ms` integer NOT NULL,
	`read_ms` integer
);
--> statement-breakpoint
CREATE INDEX `notifications_of_user` ON `notifications` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `notifications_by_time` ON `notifications` (`created_ms`);
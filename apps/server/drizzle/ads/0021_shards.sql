CREATE TABLE `account_shards` (
	`account_id` text PRIMARY KEY NOT NULL,
	`shard` text NOT NULL,
	`closed` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `account_shards_by_shard` ON `account_shards` (`shard`);--> statement-breakpoint
CREATE TABLE `account_work` (
	`account_id` text NOT NULL,
	`kind` text NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`state` text NOT NULL,
	`token` text NOT NULL,
	`until_s` integer NOT NULL,
	PRIMARY KEY(`account_id`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `shards` (
	`name` text PRIMARY KEY NOT NULL,
	`added_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sharing_accounts` (
	`granted_account_id` text NOT NULL,
	`owner_account_id` text NOT NULL,
	PRIMARY KEY(`granted_account_id`, `owner_account_id`)
);
--> statement-breakpoint
CREATE INDEX `sharing_accounts_by_owner` ON `sharing_accounts` (`owner_account_id`);
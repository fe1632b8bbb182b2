CREATE TABLE `audience_grants` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`parent_deleted` integer NOT NULL,
	`custom_audience_id` text NOT NULL,
	`granted_account_id` text NOT NULL,
	`permission_level` text NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `audience_grants_by_audience` ON `audience_grants` (`account_id`,`custom_audience_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `audience_grants_by_grantee` ON `audience_grants` (`granted_account_id`,`custom_audience_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `audience_grants_of_pair` ON `audience_grants` (`account_id`,`custom_audience_id`,`granted_account_id`) WHERE "deleted" = 0;
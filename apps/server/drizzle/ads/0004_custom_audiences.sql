CREATE TABLE `custom_audiences` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`description` text,
	`audience_type` text NOT NULL,
	`partner_source` text NOT NULL,
	`segments` text,
	`processing` integer NOT NULL,
	`matched_count` integer,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `custom_audiences_by_creation` ON `custom_audiences` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `custom_audiences_by_name` ON `custom_audiences` (`account_id`,`name_folded`);--> statement-breakpoint
CREATE UNIQUE INDEX `custom_audiences_by_unique_name` ON `custom_audiences` (`account_id`,`name_folded`) WHERE "deleted" = 0;
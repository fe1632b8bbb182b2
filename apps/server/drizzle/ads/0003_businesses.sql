CREATE TABLE `businesses` (
	`id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `businesses_by_creation` ON `businesses` (`created_at`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `businesses_by_name` ON `businesses` (`name_folded`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE INDEX `accounts_by_business` ON `accounts` (`business_id`,`id`) WHERE "business_id" IS NOT NULL;
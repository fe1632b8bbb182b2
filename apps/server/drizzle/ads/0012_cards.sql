CREATE TABLE `cards` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`card_type` text NOT NULL,
	`components` text,
	`slides` text,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `cards_by_creation` ON `cards` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `cards_by_name` ON `cards` (`account_id`,`name_folded`);
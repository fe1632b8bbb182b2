ALTER TABLE `accounts` ADD `suspended` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `spent_local_micro` integer;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `spent_today_local_micro` integer;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `spent_today_until` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `line_items_spent_until` text;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `awaiting_approval` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `funding_instruments` ADD `spent_local_micro` integer;--> statement-breakpoint
ALTER TABLE `funding_instruments` ADD `approval_status` text DEFAULT 'ACCEPTED' NOT NULL;--> statement-breakpoint
ALTER TABLE `line_items` ADD `spent_local_micro` integer;--> statement-breakpoint
ALTER TABLE `line_items` ADD `spent_today_local_micro` integer;--> statement-breakpoint
ALTER TABLE `line_items` ADD `spent_today_until` text;
CREATE TABLE `change_log` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text,
	`entity` text NOT NULL,
	`entity_id` text NOT NULL,
	`change_type` text NOT NULL,
	`change_time` text NOT NULL,
	`change_by_user_id` text,
	`change_by_platform` text NOT NULL,
	`changes` text NOT NULL,
	`entity_data` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `change_log_entity` ON `change_log` (`account_id`,`entity`,`entity_id`,`seq`);--> statement-breakpoint
CREATE TABLE `sequences` (
	`name` text PRIMARY KEY NOT NULL,
	`value` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `account_access` (
	`account_id` text NOT NULL,
	`user_id` text NOT NULL,
	`permissions` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`account_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `account_access_by_user` ON `account_access` (`user_id`,`account_id`);--> statement-breakpoint
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`business_name` text,
	`business_id` text,
	`timezone` text NOT NULL,
	`timezone_switch_at` text,
	`industry_type` text,
	`approval_status` text NOT NULL,
	`active_campaign_limit` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `accounts_by_creation` ON `accounts` (`created_at`,`seq`);--> statement-breakpoint
CREATE TABLE `campaigns` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`budget_optimization` text NOT NULL,
	`entity_status` text NOT NULL,
	`purchase_order_number` text,
	`daily_budget_amount_local_micro` integer,
	`total_budget_amount_local_micro` integer,
	`funding_instrument_id` text NOT NULL,
	`duration_in_days` integer,
	`standard_delivery` integer,
	`frequency_cap` integer,
	`currency` text NOT NULL,
	`line_item_count` integer NOT NULL,
	`flight_start` text,
	`flight_end` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `campaigns_by_creation` ON `campaigns` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `campaigns_by_name` ON `campaigns` (`account_id`,`name_folded`);--> statement-breakpoint
CREATE INDEX `campaigns_by_activity` ON `campaigns` (`account_id`,`deleted`,`entity_status`,`flight_end`);--> statement-breakpoint
CREATE TABLE `account_features` (
	`account_id` text NOT NULL,
	`feature_key` text NOT NULL,
	PRIMARY KEY(`account_id`, `feature_key`)
);
--> statement-breakpoint
CREATE TABLE `funding_instruments` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`type` text NOT NULL,
	`description` text,
	`currency` text NOT NULL,
	`start_time` text NOT NULL,
	`end_time` text,
	`credit_limit_local_micro` integer,
	`credit_remaining_local_micro` integer,
	`funded_amount_local_micro` integer,
	`io_header` text,
	`entity_status` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `funding_instruments_by_creation` ON `funding_instruments` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE TABLE `line_items` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`name` text,
	`name_folded` text,
	`campaign_id` text NOT NULL,
	`funding_instrument_id` text NOT NULL,
	`advertiser_user_id` text,
	`objective` text NOT NULL,
	`product_type` text NOT NULL,
	`placements` text NOT NULL,
	`start_time` text,
	`end_time` text,
	`goal` text NOT NULL,
	`pay_by` text NOT NULL,
	`bid_strategy` text NOT NULL,
	`bid_amount_local_micro` integer,
	`target_cpa_local_micro` integer,
	`primary_web_event_tag` text,
	`daily_budget_amount_local_micro` integer,
	`total_budget_amount_local_micro` integer,
	`standard_delivery` integer,
	`duration_in_days` integer,
	`frequency_cap` integer,
	`entity_status` text NOT NULL,
	`automatic_post_promotion` integer,
	`advertiser_domain` text,
	`categories` text NOT NULL,
	`android_app_store_identifier` text,
	`ios_app_store_identifier` text,
	`audience_expansion` text,
	`currency` text NOT NULL,
	`creative_source` text NOT NULL,
	`campaign_deleted` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `line_items_by_creation` ON `line_items` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `line_items_by_campaign` ON `line_items` (`account_id`,`campaign_id`,`deleted`);--> statement-breakpoint
CREATE INDEX `line_items_by_activity` ON `line_items` (`account_id`,`deleted`,`campaign_deleted`,`entity_status`,`end_time`);--> statement-breakpoint
CREATE TABLE `promotable_users` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`user_id` text NOT NULL,
	`promotable_user_type` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `promotable_users_by_creation` ON `promotable_users` (`account_id`,`created_at`,`seq`);
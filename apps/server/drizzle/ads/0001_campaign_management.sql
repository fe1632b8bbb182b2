CREATE TABLE `account_apps` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`app_store_identifier` text NOT NULL,
	`conversion_tracking_enabled` integer NOT NULL,
	`deep_link_pattern` text,
	`os_type` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `account_apps_by_creation` ON `account_apps` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_apps_by_identifier` ON `account_apps` (`account_id`,`os_type`,`app_store_identifier`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE TABLE `account_media` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`media_key` text NOT NULL,
	`creative_type` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `account_media_by_creation` ON `account_media` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `account_media_by_key` ON `account_media` (`account_id`,`media_key`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE TABLE `curated_categories` (
	`id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`country_codes` text NOT NULL,
	`publisher_user_ids` text NOT NULL,
	`videos_monetized_in_last_thirty_days` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `curated_categories_by_creation` ON `curated_categories` (`created_at`,`seq`);--> statement-breakpoint
CREATE TABLE `line_item_curated_categories` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`line_item_id` text NOT NULL,
	`curated_category_id` text NOT NULL,
	`parent_deleted` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `line_item_curated_categories_by_creation` ON `line_item_curated_categories` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `line_item_curated_categories_by_line_item` ON `line_item_curated_categories` (`account_id`,`line_item_id`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE TABLE `media_creatives` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`campaign_id` text NOT NULL,
	`line_item_id` text NOT NULL,
	`account_media_id` text NOT NULL,
	`landing_url` text,
	`creative_type` text NOT NULL,
	`entity_status` text NOT NULL,
	`approval_status` text NOT NULL,
	`parent_deleted` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `media_creatives_by_creation` ON `media_creatives` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `media_creatives_by_media` ON `media_creatives` (`account_id`,`line_item_id`,`account_media_id`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE TABLE `promoted_accounts` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`line_item_id` text NOT NULL,
	`user_id` text NOT NULL,
	`entity_status` text NOT NULL,
	`approval_status` text NOT NULL,
	`paused` integer NOT NULL,
	`parent_deleted` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `promoted_accounts_by_creation` ON `promoted_accounts` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `promoted_accounts_by_user` ON `promoted_accounts` (`account_id`,`line_item_id`,`user_id`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE TABLE `promoted_posts` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`line_item_id` text NOT NULL,
	`post_id` text NOT NULL,
	`entity_status` text NOT NULL,
	`approval_status` text NOT NULL,
	`paused` integer NOT NULL,
	`parent_deleted` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `promoted_posts_by_creation` ON `promoted_posts` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `promoted_posts_by_post` ON `promoted_posts` (`account_id`,`line_item_id`,`post_id`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE TABLE `publishers` (
	`id` text PRIMARY KEY NOT NULL,
	`seq` integer NOT NULL,
	`monetizable_country_codes` text NOT NULL,
	`promotion_eligible_country_codes` text NOT NULL,
	`monetization_restricted` integer NOT NULL,
	`content_category_ids` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `publishers_by_creation` ON `publishers` (`created_at`,`seq`);--> statement-breakpoint
CREATE TABLE `targeting_criteria` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`line_item_id` text NOT NULL,
	`name` text NOT NULL,
	`targeting_type` text NOT NULL,
	`targeting_value` text NOT NULL,
	`operator_type` text NOT NULL,
	`automatic` integer NOT NULL,
	`parent_deleted` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `targeting_criteria_by_line_item` ON `targeting_criteria` (`account_id`,`line_item_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE UNIQUE INDEX `targeting_criteria_by_value` ON `targeting_criteria` (`account_id`,`line_item_id`,`targeting_type`,`targeting_value`,`operator_type`) WHERE "deleted" = 0;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `content_review_problem` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `promotable_users_by_user` ON `promotable_users` (`account_id`,`user_id`) WHERE "deleted" = 0;--> statement-breakpoint
CREATE UNIQUE INDEX `promotable_users_full` ON `promotable_users` (`account_id`) WHERE "promotable_user_type" = 'FULL' AND "deleted" = 0;
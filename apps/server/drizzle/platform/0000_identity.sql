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
CREATE TABLE `access_tokens` (
	`token` text PRIMARY KEY NOT NULL,
	`secret_sealed` text NOT NULL,
	`app_id` text NOT NULL,
	`user_id` text NOT NULL,
	`access_level` text NOT NULL,
	`created_at` text NOT NULL,
	`revoked_at` text
);
--> statement-breakpoint
CREATE INDEX `access_tokens_by_user` ON `access_tokens` (`user_id`,`app_id`);--> statement-breakpoint
CREATE TABLE `apps` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`owner_user_id` text NOT NULL,
	`access_level` text NOT NULL,
	`consumer_key` text NOT NULL,
	`consumer_secret_sealed` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `apps_consumer_key` ON `apps` (`consumer_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `apps_name` ON `apps` (`name_folded`);--> statement-breakpoint
CREATE TABLE `bearer_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`app_id` text NOT NULL,
	`created_at` text NOT NULL,
	`revoked_at` text
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`screen_name` text NOT NULL,
	`screen_name_folded` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_screen_name` ON `users` (`screen_name_folded`);
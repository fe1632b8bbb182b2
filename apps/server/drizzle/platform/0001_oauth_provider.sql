CREATE TABLE `platform_keys` (
	`name` text PRIMARY KEY NOT NULL,
	`key_sealed` text NOT NULL,
	`created_at` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `request_tokens` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`secret_sealed` text NOT NULL,
	`app_id` text NOT NULL,
	`callback` text NOT NULL,
	`access_level` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	`state` text NOT NULL,
	`user_id` text,
	`verifier_hash` text,
	`failures` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `request_tokens_by_expiry` ON `request_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_ms` integer NOT NULL,
	`expires_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_by_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE INDEX `sessions_by_expiry` ON `sessions` (`expires_ms`);--> statement-breakpoint
ALTER TABLE `access_tokens` ADD `by_approval` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `apps` ADD `updated_at` text DEFAULT '' NOT NULL;--> statement-breakpoint
UPDATE `apps` SET `updated_at` = `created_at`;--> statement-breakpoint
ALTER TABLE `apps` ADD `description` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `apps` ADD `callback_urls` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `apps` ADD `sign_in_enabled` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `apps` ADD `oob_enabled` integer DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE `apps` ADD `suspended` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `apps_by_owner` ON `apps` (`owner_user_id`);--> statement-breakpoint
ALTER TABLE `bearer_tokens` ADD `salt` text;--> statement-breakpoint
CREATE INDEX `bearer_tokens_by_app` ON `bearer_tokens` (`app_id`);
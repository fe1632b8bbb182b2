DROP INDEX `campaigns_by_creation`;--> statement-breakpoint
DROP INDEX `campaigns_by_updated_at`;--> statement-breakpoint
DROP INDEX `campaigns_by_name`;--> statement-breakpoint
DROP INDEX `campaigns_by_daily_budget_amount_local_micro`;--> statement-breakpoint
DROP INDEX `campaigns_by_total_budget_amount_local_micro`;--> statement-breakpoint
DROP INDEX `campaigns_by_standard_delivery`;--> statement-breakpoint
CREATE INDEX `campaigns_by_creation` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`created_at`,`seq`,`funding_instrument_id`,`daily_budget_amount_local_micro`,`total_budget_amount_local_micro`,`standard_delivery`);--> statement-breakpoint
CREATE INDEX `campaigns_by_updated_at` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`updated_at`,`seq`,`funding_instrument_id`,`daily_budget_amount_local_micro`,`total_budget_amount_local_micro`,`standard_delivery`);--> statement-breakpoint
CREATE INDEX `campaigns_by_name` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`name_collated`,`seq`,`funding_instrument_id`,`daily_budget_amount_local_micro`,`total_budget_amount_local_micro`,`standard_delivery`);--> statement-breakpoint
CREATE INDEX `campaigns_by_daily_budget_amount_local_micro` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`daily_budget_amount_local_micro`,`seq`,`funding_instrument_id`,`total_budget_amount_local_micro`,`standard_delivery`,`created_at`,`name_collated`);--> statement-breakpoint
CREATE INDEX `campaigns_by_total_budget_amount_local_micro` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`total_budget_amount_local_micro`,`seq`,`funding_instrument_id`,`daily_budget_amount_local_micro`,`standard_delivery`,`created_at`,`name_collated`);--> statement-breakpoint
CREATE INDEX `campaigns_by_standard_delivery` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`standard_delivery`,`seq`,`funding_instrument_id`,`daily_budget_amount_local_micro`,`total_budget_amount_local_micro`,`created_at`,`name_collated`);--> statement-breakpoint
DROP INDEX `funding_instruments_by_creation`;--> statement-breakpoint
DROP INDEX `funding_instruments_by_updated_at`;--> statement-breakpoint
DROP INDEX `funding_instruments_by_funded_amount_local_micro`;--> statement-breakpoint
DROP INDEX `funding_instruments_by_start_time`;--> statement-breakpoint
DROP INDEX `funding_instruments_by_end_time`;--> statement-breakpoint
CREATE INDEX `funding_instruments_by_creation` ON `funding_instruments` (`account_id`,"deleted",`created_at`,`seq`,`funded_amount_local_micro`);--> statement-breakpoint
CREATE INDEX `funding_instruments_by_updated_at` ON `funding_instruments` (`account_id`,"deleted",`updated_at`,`seq`,`funded_amount_local_micro`);--> statement-breakpoint
CREATE INDEX `funding_instruments_by_funded_amount_local_micro` ON `funding_instruments` (`account_id`,"deleted",`funded_amount_local_micro`,`seq`,`created_at`,`start_time`,`end_time`);--> statement-breakpoint
CREATE INDEX `funding_instruments_by_start_time` ON `funding_instruments` (`account_id`,"deleted",`start_time`,`seq`,`funded_amount_local_micro`);--> statement-breakpoint
CREATE INDEX `funding_instruments_by_end_time` ON `funding_instruments` (`account_id`,"deleted",`end_time`,`seq`,`funded_amount_local_micro`);--> statement-breakpoint
DROP INDEX `line_items_by_creation`;--> statement-breakpoint
DROP INDEX `line_items_by_updated_at`;--> statement-breakpoint
DROP INDEX `line_items_by_bid_amount_local_micro`;--> statement-breakpoint
CREATE INDEX `line_items_by_creation` ON `line_items` (`account_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`created_at`,`seq`,`campaign_id`,`funding_instrument_id`,`bid_amount_local_micro`);--> statement-breakpoint
CREATE INDEX `line_items_by_updated_at` ON `line_items` (`account_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`updated_at`,`seq`,`campaign_id`,`funding_instrument_id`,`bid_amount_local_micro`);--> statement-breakpoint
CREATE INDEX `line_items_by_bid_amount_local_micro` ON `line_items` (`account_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`bid_amount_local_micro`,`seq`,`campaign_id`,`funding_instrument_id`,`created_at`);--> statement-breakpoint
DROP INDEX `promoted_accounts_by_creation`;--> statement-breakpoint
DROP INDEX `promoted_accounts_by_updated_at`;--> statement-breakpoint
DROP INDEX `promoted_accounts_by_paused`;--> statement-breakpoint
CREATE INDEX `promoted_accounts_by_creation` ON `promoted_accounts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`,`line_item_id`,`paused`);--> statement-breakpoint
CREATE INDEX `promoted_accounts_by_updated_at` ON `promoted_accounts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`updated_at`,`seq`,`line_item_id`,`paused`);--> statement-breakpoint
CREATE INDEX `promoted_accounts_by_paused` ON `promoted_accounts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`paused`,`seq`,`line_item_id`,`created_at`);--> statement-breakpoint
DROP INDEX `promoted_posts_by_creation`;--> statement-breakpoint
DROP INDEX `promoted_posts_by_updated_at`;--> statement-breakpoint
DROP INDEX `promoted_posts_by_paused`;--> statement-breakpoint
CREATE INDEX `promoted_posts_by_creation` ON `promoted_posts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`,`line_item_id`,`paused`);--> statement-breakpoint
CREATE INDEX `promoted_posts_by_updated_at` ON `promoted_posts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`updated_at`,`seq`,`line_item_id`,`paused`);--> statement-breakpoint
CREATE INDEX `promoted_posts_by_paused` ON `promoted_posts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`paused`,`seq`,`line_item_id`,`created_at`);
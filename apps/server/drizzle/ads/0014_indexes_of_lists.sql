DROP INDEX `audience_grants_by_audience`;--> statement-breakpoint
CREATE INDEX `audience_grants_of_custom_audience_id` ON `audience_grants` (`account_id`,`custom_audience_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`);--> statement-breakpoint
DROP INDEX `draft_posts_by_name`;--> statement-breakpoint
DROP INDEX `draft_posts_by_creation`;--> statement-breakpoint
CREATE INDEX `draft_posts_by_prefix` ON `draft_posts` (`account_id`,"deleted",`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `draft_posts_of_user_id` ON `draft_posts` (`account_id`,`user_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `draft_posts_of_nullcast` ON `draft_posts` (`account_id`,`nullcast`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `draft_posts_by_creation` ON `draft_posts` (`account_id`,"deleted",`created_at`,`seq`,`user_id`,`nullcast`);--> statement-breakpoint
DROP INDEX `line_items_by_campaign`;--> statement-breakpoint
DROP INDEX `line_items_by_creation`;--> statement-breakpoint
CREATE INDEX `line_items_by_updated_at` ON `line_items` (`account_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`updated_at`,`seq`,`campaign_id`,`funding_instrument_id`);--> statement-breakpoint
CREATE INDEX `line_items_by_bid_amount_local_micro` ON `line_items` (`account_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`bid_amount_local_micro`,`seq`,`campaign_id`,`funding_instrument_id`);--> statement-breakpoint
CREATE INDEX `line_items_by_prefix` ON `line_items` (`account_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `line_items_of_campaign_id` ON `line_items` (`account_id`,`campaign_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `line_items_of_funding_instrument_id` ON `line_items` (`account_id`,`funding_instrument_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `line_items_by_creation` ON `line_items` (`account_id`,("deleted" * 4 + "parent_deleted" * 2 + ("entity_status" = 'DRAFT')),`created_at`,`seq`,`campaign_id`,`funding_instrument_id`);--> statement-breakpoint
DROP INDEX `scheduled_posts_by_name`;--> statement-breakpoint
DROP INDEX `scheduled_posts_by_creation`;--> statement-breakpoint
CREATE INDEX `scheduled_posts_by_prefix` ON `scheduled_posts` (`account_id`,"deleted",`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `scheduled_posts_of_user_id` ON `scheduled_posts` (`account_id`,`user_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `scheduled_posts_of_nullcast` ON `scheduled_posts` (`account_id`,`nullcast`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `scheduled_posts_by_creation` ON `scheduled_posts` (`account_id`,"deleted",`created_at`,`seq`,`user_id`,`nullcast`);--> statement-breakpoint
DROP INDEX `targeting_criteria_by_line_item`;--> statement-breakpoint
CREATE INDEX `targeting_criteria_of_line_item_id` ON `targeting_criteria` (`account_id`,`line_item_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`);--> statement-breakpoint
DROP INDEX `account_apps_by_creation`;--> statement-breakpoint
CREATE INDEX `account_apps_by_updated_at` ON `account_apps` (`account_id`,"deleted",`updated_at`,`seq`);--> statement-breakpoint
CREATE INDEX `account_apps_by_creation` ON `account_apps` (`account_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
DROP INDEX `account_media_by_creation`;--> statement-breakpoint
CREATE INDEX `account_media_by_updated_at` ON `account_media` (`account_id`,"deleted",`updated_at`,`seq`,`creative_type`);--> statement-breakpoint
CREATE INDEX `account_media_of_creative_type` ON `account_media` (`account_id`,`creative_type`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `account_media_by_creation` ON `account_media` (`account_id`,"deleted",`created_at`,`seq`,`creative_type`);--> statement-breakpoint
DROP INDEX `campaigns_by_creation`;--> statement-breakpoint
DROP INDEX `campaigns_by_name`;--> statement-breakpoint
CREATE INDEX `campaigns_by_updated_at` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`updated_at`,`seq`,`funding_instrument_id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_daily_budget_amount_local_micro` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`daily_budget_amount_local_micro`,`seq`,`funding_instrument_id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_total_budget_amount_local_micro` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`total_budget_amount_local_micro`,`seq`,`funding_instrument_id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_standard_delivery` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`standard_delivery`,`seq`,`funding_instrument_id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_prefix` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `campaigns_of_funding_instrument_id` ON `campaigns` (`account_id`,`funding_instrument_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `campaigns_by_creation` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`created_at`,`seq`,`funding_instrument_id`);--> statement-breakpoint
CREATE INDEX `campaigns_by_name` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`name`,`seq`,`funding_instrument_id`);--> statement-breakpoint
DROP INDEX `cards_by_creation`;--> statement-breakpoint
DROP INDEX `cards_by_name`;--> statement-breakpoint
CREATE INDEX `cards_by_updated_at` ON `cards` (`account_id`,"deleted",`updated_at`,`seq`,`card_type`);--> statement-breakpoint
CREATE INDEX `cards_by_prefix` ON `cards` (`account_id`,"deleted",`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `cards_of_card_type` ON `cards` (`account_id`,`card_type`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `cards_by_creation` ON `cards` (`account_id`,"deleted",`created_at`,`seq`,`card_type`);--> statement-breakpoint
CREATE INDEX `cards_by_name` ON `cards` (`account_id`,"deleted",`name`,`seq`,`card_type`);--> statement-breakpoint
DROP INDEX `custom_audiences_by_creation`;--> statement-breakpoint
DROP INDEX `custom_audiences_by_name`;--> statement-breakpoint
CREATE INDEX `custom_audiences_by_updated_at` ON `custom_audiences` (`account_id`,"deleted",`updated_at`,`seq`);--> statement-breakpoint
CREATE INDEX `custom_audiences_by_prefix` ON `custom_audiences` (`account_id`,"deleted",`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `custom_audiences_by_creation` ON `custom_audiences` (`account_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `custom_audiences_by_name` ON `custom_audiences` (`account_id`,"deleted",`name`,`seq`);--> statement-breakpoint
DROP INDEX `funding_instruments_by_creation`;--> statement-breakpoint
CREATE INDEX `funding_instruments_by_updated_at` ON `funding_instruments` (`account_id`,"deleted",`updated_at`,`seq`);--> statement-breakpoint
CREATE INDEX `funding_instruments_by_funded_amount_local_micro` ON `funding_instruments` (`account_id`,"deleted",`funded_amount_local_micro`,`seq`);--> statement-breakpoint
CREATE INDEX `funding_instruments_by_start_time` ON `funding_instruments` (`account_id`,"deleted",`start_time`,`seq`);--> statement-breakpoint
CREATE INDEX `funding_instruments_by_end_time` ON `funding_instruments` (`account_id`,"deleted",`end_time`,`seq`);--> statement-breakpoint
CREATE INDEX `funding_instruments_by_creation` ON `funding_instruments` (`account_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
DROP INDEX `image_conversation_cards_by_creation`;--> statement-breakpoint
DROP INDEX `image_conversation_cards_by_name`;--> statement-breakpoint
CREATE INDEX `image_conversation_cards_by_updated_at` ON `image_conversation_cards` (`account_id`,"deleted",`updated_at`,`seq`);--> statement-breakpoint
CREATE INDEX `image_conversation_cards_by_prefix` ON `image_conversation_cards` (`account_id`,"deleted",`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `image_conversation_cards_by_creation` ON `image_conversation_cards` (`account_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `image_conversation_cards_by_name` ON `image_conversation_cards` (`account_id`,"deleted",`name`,`seq`);--> statement-breakpoint
DROP INDEX `line_item_curated_categories_by_creation`;--> statement-breakpoint
CREATE INDEX `line_item_curated_categories_by_updated_at` ON `line_item_curated_categories` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`updated_at`,`seq`);--> statement-breakpoint
CREATE INDEX `line_item_curated_categories_by_creation` ON `line_item_curated_categories` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`);--> statement-breakpoint
DROP INDEX `media_creatives_by_creation`;--> statement-breakpoint
CREATE INDEX `media_creatives_by_updated_at` ON `media_creatives` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`updated_at`,`seq`,`campaign_id`,`line_item_id`);--> statement-breakpoint
CREATE INDEX `media_creatives_of_campaign_id` ON `media_creatives` (`account_id`,`campaign_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `media_creatives_of_line_item_id` ON `media_creatives` (`account_id`,`line_item_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `media_creatives_by_creation` ON `media_creatives` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`,`campaign_id`,`line_item_id`);--> statement-breakpoint
DROP INDEX `poll_cards_by_creation`;--> statement-breakpoint
DROP INDEX `poll_cards_by_name`;--> statement-breakpoint
CREATE INDEX `poll_cards_by_updated_at` ON `poll_cards` (`account_id`,"deleted",`updated_at`,`seq`);--> statement-breakpoint
CREATE INDEX `poll_cards_by_prefix` ON `poll_cards` (`account_id`,"deleted",`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `poll_cards_by_creation` ON `poll_cards` (`account_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `poll_cards_by_name` ON `poll_cards` (`account_id`,"deleted",`name`,`seq`);--> statement-breakpoint
DROP INDEX `promotable_users_by_creation`;--> statement-breakpoint
CREATE INDEX `promotable_users_by_updated_at` ON `promotable_users` (`account_id`,"deleted",`updated_at`,`seq`,`user_id`);--> statement-breakpoint
CREATE INDEX `promotable_users_of_user_id` ON `promotable_users` (`account_id`,`user_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `promotable_users_by_creation` ON `promotable_users` (`account_id`,"deleted",`created_at`,`seq`,`user_id`);--> statement-breakpoint
DROP INDEX `promoted_accounts_by_creation`;--> statement-breakpoint
CREATE INDEX `promoted_accounts_by_updated_at` ON `promoted_accounts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`updated_at`,`seq`,`line_item_id`);--> statement-breakpoint
CREATE INDEX `promoted_accounts_by_paused` ON `promoted_accounts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`paused`,`seq`,`line_item_id`);--> statement-breakpoint
CREATE INDEX `promoted_accounts_of_line_item_id` ON `promoted_accounts` (`account_id`,`line_item_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `promoted_accounts_by_creation` ON `promoted_accounts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`,`line_item_id`);--> statement-breakpoint
DROP INDEX `promoted_posts_by_creation`;--> statement-breakpoint
CREATE INDEX `promoted_posts_by_updated_at` ON `promoted_posts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`updated_at`,`seq`,`line_item_id`);--> statement-breakpoint
CREATE INDEX `promoted_posts_by_paused` ON `promoted_posts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`paused`,`seq`,`line_item_id`);--> statement-breakpoint
CREATE INDEX `promoted_posts_of_line_item_id` ON `promoted_posts` (`account_id`,`line_item_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `promoted_posts_by_creation` ON `promoted_posts` (`account_id`,("deleted" * 4 + "parent_deleted" * 2),`created_at`,`seq`,`line_item_id`);--> statement-breakpoint
DROP INDEX `video_conversation_cards_by_creation`;--> statement-breakpoint
DROP INDEX `video_conversation_cards_by_name`;--> statement-breakpoint
CREATE INDEX `video_conversation_cards_by_updated_at` ON `video_conversation_cards` (`account_id`,"deleted",`updated_at`,`seq`);--> statement-breakpoint
CREATE INDEX `video_conversation_cards_by_prefix` ON `video_conversation_cards` (`account_id`,"deleted",`name_folded`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `video_conversation_cards_by_creation` ON `video_conversation_cards` (`account_id`,"deleted",`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `video_conversation_cards_by_name` ON `video_conversation_cards` (`account_id`,"deleted",`name`,`seq`);
DROP INDEX `campaigns_by_name`;--> statement-breakpoint
CREATE INDEX `campaigns_by_name` ON `campaigns` (`account_id`,("deleted" * 4 + ("entity_status" = 'DRAFT')),`name_collated`,`seq`,`funding_instrument_id`);--> statement-breakpoint
DROP INDEX `cards_by_name`;--> statement-breakpoint
CREATE INDEX `cards_by_name` ON `cards` (`account_id`,"deleted",`name_collated`,`seq`,`card_type`);--> statement-breakpoint
DROP INDEX `custom_audiences_by_name`;--> statement-breakpoint
CREATE INDEX `custom_audiences_by_name` ON `custom_audiences` (`account_id`,"deleted",`name_collated`,`seq`);--> statement-breakpoint
DROP INDEX `image_conversation_cards_by_name`;--> statement-breakpoint
CREATE INDEX `image_conversation_cards_by_name` ON `image_conversation_cards` (`account_id`,"deleted",`name_collated`,`seq`);--> statement-breakpoint
DROP INDEX `poll_cards_by_name`;--> statement-breakpoint
CREATE INDEX `poll_cards_by_name` ON `poll_cards` (`account_id`,"deleted",`name_collated`,`seq`);--> statement-breakpoint
DROP INDEX `video_conversation_cards_by_name`;--> statement-breakpoint
CREATE INDEX `video_conversation_cards_by_name` ON `video_conversation_cards` (`account_id`,"deleted",`name_collated`,`seq`);
ALTER TABLE `accounts` ADD `name_collated` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `name_collated` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `cards` ADD `name_collated` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `custom_audiences` ADD `name_collated` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `image_conversation_cards` ADD `name_collated` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `poll_cards` ADD `name_collated` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `targeting_criteria` ADD `name_collated` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `video_conversation_cards` ADD `name_collated` text DEFAULT '' NOT NULL;
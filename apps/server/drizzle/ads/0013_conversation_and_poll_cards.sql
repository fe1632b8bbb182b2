CREATE TABLE `image_conversation_cards` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`card_uri` text NOT NULL,
	`media_key` text NOT NULL,
	`title` text,
	`first_cta` text NOT NULL,
	`first_cta_post` text NOT NULL,
	`second_cta` text,
	`second_cta_post` text,
	`third_cta` text,
	`third_cta_post` text,
	`fourth_cta` text,
	`fourth_cta_post` text,
	`thank_you_text` text NOT NULL,
	`thank_you_url` text,
	`unlocked_image_media_key` text,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `image_conversation_cards_by_creation` ON `image_conversation_cards` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `image_conversation_cards_by_name` ON `image_conversation_cards` (`account_id`,`name_folded`);--> statement-breakpoint
CREATE UNIQUE INDEX `image_conversation_cards_by_uri` ON `image_conversation_cards` (`account_id`,`card_uri`);--> statement-breakpoint
CREATE TABLE `poll_cards` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`card_uri` text NOT NULL,
	`card_type` text NOT NULL,
	`first_choice` text NOT NULL,
	`second_choice` text NOT NULL,
	`third_choice` text,
	`fourth_choice` text,
	`duration_in_minutes` integer NOT NULL,
	`media_key` text,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `poll_cards_by_creation` ON `poll_cards` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `poll_cards_by_name` ON `poll_cards` (`account_id`,`name_folded`);--> statement-breakpoint
CREATE UNIQUE INDEX `poll_cards_by_uri` ON `poll_cards` (`account_id`,`card_uri`);--> statement-breakpoint
CREATE TABLE `video_conversation_cards` (
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`seq` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`deleted` integer NOT NULL,
	`name` text NOT NULL,
	`name_folded` text NOT NULL,
	`card_uri` text NOT NULL,
	`media_key` text NOT NULL,
	`title` text,
	`first_cta` text NOT NULL,
	`first_cta_post` text NOT NULL,
	`second_cta` text,
	`second_cta_post` text,
	`third_cta` text,
	`third_cta_post` text,
	`fourth_cta` text,
	`fourth_cta_post` text,
	`thank_you_text` text NOT NULL,
	`thank_you_url` text,
	`unlocked_image_media_key` text,
	`poster_media_key` text,
	`unlocked_video_media_key` text,
	PRIMARY KEY(`account_id`, `id`)
);
--> statement-breakpoint
CREATE INDEX `video_conversation_cards_by_creation` ON `video_conversation_cards` (`account_id`,`created_at`,`seq`);--> statement-breakpoint
CREATE INDEX `video_conversation_cards_by_name` ON `video_conversation_cards` (`account_id`,`name_folded`);--> statement-breakpoint
CREATE UNIQUE INDEX `video_conversation_cards_by_uri` ON `video_conversation_cards` (`account_id`,`card_uri`);
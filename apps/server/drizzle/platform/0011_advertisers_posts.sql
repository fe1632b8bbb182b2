CREATE TABLE `publications` (
	`key` text PRIMARY KEY NOT NULL,
	`post_id` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `posts` ADD `name` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `name_folded` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `card_uri` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `card_type` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `card_account` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `contributor_id` integer;--> statement-breakpoint
ALTER TABLE `posts` ADD `video_title` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `video_description` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `video_cta` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `video_cta_value` text;--> statement-breakpoint
ALTER TABLE `posts` ADD `timeline` integer GENERATED ALWAYS AS ("nullcast" * 2 + ("replied_to_id" IS NOT NULL OR ("reposted_id" IS NULL AND coalesce(instr("entities", '"mentions":') > 0, 0)))) VIRTUAL;--> statement-breakpoint
CREATE INDEX `posts_by_timeline` ON `posts` (`author_id`,`timeline`,`id`,`name_folded`) WHERE "posts"."deleted_ms" is null;--> statement-breakpoint
CREATE INDEX `posts_by_name` ON `posts` (`author_id`,`name_folded`,`id`) WHERE "posts"."name_folded" is not null;
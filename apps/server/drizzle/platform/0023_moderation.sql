CREATE TABLE `held_promotions` (
	`post_id` integer NOT NULL,
	`environment` text NOT NULL,
	`account_id` text NOT NULL,
	`promoted_post_id` text NOT NULL,
	`approval_status` text NOT NULL,
	PRIMARY KEY(`post_id`, `environment`, `account_id`, `promoted_post_id`)
);
--> statement-breakpoint
CREATE TABLE `moderated_posts` (
	`post_id` integer PRIMARY KEY NOT NULL,
	`state` text NOT NULL,
	`reason` text NOT NULL,
	`decided_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `moderated_posts_by_state` ON `moderated_posts` (`state`,`post_id`);--> statement-breakpoint
ALTER TABLE `posts` ADD `taken_down_ms` integer;--> statement-breakpoint
-- Posts that are taken down are not counted by their words, as those that are deleted.
DROP TRIGGER `audience_post_update`;
--> statement-breakpoint
CREATE TRIGGER `audience_post_update` AFTER UPDATE OF `deleted_ms`, `taken_down_ms` ON `posts`
WHEN NEW.`reposted_id` IS NULL AND NEW.`nullcast` = 0 AND (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('post', NEW.`id`);
END;

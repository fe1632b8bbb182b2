INSERT INTO `audience_state` (`id`, `epoch`, `bulk`) VALUES (1, 0, 0);
--> statement-breakpoint
CREATE TRIGGER `audience_changes_ring` AFTER INSERT ON `audience_changes` BEGIN
	DELETE FROM `audience_changes` WHERE `seq` = NEW.`seq` - 65536;
END;
--> statement-breakpoint
CREATE TRIGGER `audience_user_insert` AFTER INSERT ON `users`
WHEN (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('user', CAST(NEW.`id` AS INTEGER));
END;
--> statement-breakpoint
CREATE TRIGGER `audience_user_update` AFTER UPDATE OF `country`, `place`, `birth_date`, `gender`, `languages`, `platforms`, `interests` ON `users`
WHEN (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('user', CAST(NEW.`id` AS INTEGER));
END;
--> statement-breakpoint
CREATE TRIGGER `audience_user_delete` AFTER DELETE ON `users`
WHEN (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('user', CAST(OLD.`id` AS INTEGER));
END;
--> statement-breakpoint
CREATE TRIGGER `audience_follow_insert` AFTER INSERT ON `follows`
WHEN NEW.`state` = 'approved' AND (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`, `other_id`) VALUES ('follow', NEW.`follower_id`, NEW.`followed_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `audience_follow_update` AFTER UPDATE OF `state` ON `follows`
WHEN NEW.`state` <> OLD.`state` AND (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`, `other_id`) VALUES ('follow', NEW.`follower_id`, NEW.`followed_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `audience_follow_delete` AFTER DELETE ON `follows`
WHEN OLD.`state` = 'approved' AND (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`, `other_id`) VALUES ('follow', OLD.`follower_id`, OLD.`followed_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `audience_post_insert` AFTER INSERT ON `posts`
WHEN NEW.`reposted_id` IS NULL AND NEW.`nullcast` = 0 AND (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('post', NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `audience_post_update` AFTER UPDATE OF `deleted_ms` ON `posts`
WHEN NEW.`reposted_id` IS NULL AND NEW.`nullcast` = 0 AND (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('post', NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `audience_post_delete` AFTER DELETE ON `posts`
WHEN OLD.`reposted_id` IS NULL AND OLD.`nullcast` = 0 AND (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('post', OLD.`id`);
END;

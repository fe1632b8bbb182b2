DROP TRIGGER `audience_post_insert`;
--> statement-breakpoint
CREATE TRIGGER `audience_post_insert` AFTER INSERT ON `posts`
WHEN (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('post', NEW.`id`);
END;
--> statement-breakpoint
DROP TRIGGER `audience_user_update`;
--> statement-breakpoint
CREATE TRIGGER `audience_user_update` AFTER UPDATE OF `country`, `place`, `birth_date`, `gender`, `languages`, `platforms`, `interests`, `protected`, `screen_name`, `email`, `phone_numbers`, `devices` ON `users`
WHEN (OLD.`country` IS NOT NEW.`country` OR OLD.`place` IS NOT NEW.`place` OR OLD.`birth_date` IS NOT NEW.`birth_date` OR OLD.`gender` IS NOT NEW.`gender` OR OLD.`languages` IS NOT NEW.`languages` OR OLD.`platforms` IS NOT NEW.`platforms` OR OLD.`interests` IS NOT NEW.`interests` OR OLD.`protected` IS NOT NEW.`protected` OR OLD.`screen_name` IS NOT NEW.`screen_name` OR OLD.`email` IS NOT NEW.`email` OR OLD.`phone_numbers` IS NOT NEW.`phone_numbers` OR OLD.`devices` IS NOT NEW.`devices`) AND (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('user', CAST(NEW.`id` AS INTEGER));
END;

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
WHEN (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('user', CAST(NEW.`id` AS INTEGER));
END;

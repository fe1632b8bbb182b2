ALTER TABLE `users` ADD `email` text;--> statement-breakpoint
ALTER TABLE `users` ADD `phone_numbers` text;--> statement-breakpoint
ALTER TABLE `users` ADD `devices` text;
--> statement-breakpoint
DROP TRIGGER `audience_user_update`;
--> statement-breakpoint
CREATE TRIGGER `audience_user_update` AFTER UPDATE OF `country`, `place`, `birth_date`, `gender`, `languages`, `platforms`, `interests`, `screen_name`, `email`, `phone_numbers`, `devices` ON `users`
WHEN (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('user', CAST(NEW.`id` AS INTEGER));
END;

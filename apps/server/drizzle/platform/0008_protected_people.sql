-- Posts of protected people are not searched for keywords, so the index has to learn who is protected.
DROP TRIGGER `audience_user_update`;
--> statement-breakpoint
CREATE TRIGGER `audience_user_update` AFTER UPDATE OF `country`, `place`, `birth_date`, `gender`, `languages`, `platforms`, `interests`, `protected` ON `users`
WHEN (SELECT `bulk` FROM `audience_state` WHERE `id` = 1) = 0 BEGIN
	INSERT INTO `audience_changes` (`kind`, `id`) VALUES ('user', CAST(NEW.`id` AS INTEGER));
END;

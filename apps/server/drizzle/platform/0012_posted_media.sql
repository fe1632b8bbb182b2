ALTER TABLE `media` ADD `posted` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `media` SET `posted` = 1 WHERE `media_key` IN (
	SELECT "held".value FROM `posts`, json_each(`posts`.`media_keys`) AS "held" WHERE `posts`.`media_keys` IS NOT NULL
);

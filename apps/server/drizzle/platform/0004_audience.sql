CREATE TABLE `audience_changes` (
	`seq` integer PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`id` integer NOT NULL,
	`other_id` integer
);
--> statement-breakpoint
CREATE TABLE `audience_state` (
	`id` integer PRIMARY KEY NOT NULL,
	`epoch` integer NOT NULL,
	`bulk` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `users` ADD `place` text;--> statement-breakpoint
ALTER TABLE `users` ADD `birth_date` text;--> statement-breakpoint
ALTER TABLE `users` ADD `gender` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `languages` text;--> statement-breakpoint
ALTER TABLE `users` ADD `platforms` text;--> statement-breakpoint
ALTER TABLE `users` ADD `interests` text;
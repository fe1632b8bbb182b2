CREATE TABLE `audience_keepers` (
	`audience` text PRIMARY KEY NOT NULL,
	`place` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audience_keepers_place` ON `audience_keepers` (`place`);
CREATE TABLE `world_time` (
	`id` integer PRIMARY KEY NOT NULL,
	`world_ms` integer NOT NULL,
	`wall_ms` integer NOT NULL,
	`rate` real NOT NULL,
	`frozen` integer NOT NULL,
	`limits` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `polls_by_end` ON `polls` (`end_ms`);
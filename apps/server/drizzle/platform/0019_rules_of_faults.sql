CREATE TABLE `fault_rules` (
	`number` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`match` text NOT NULL,
	`effect` text NOT NULL,
	`times` integer,
	`until_ms` integer,
	`created_ms` integer NOT NULL,
	`seed` text NOT NULL,
	`matched` integer DEFAULT 0 NOT NULL,
	`fired` integer DEFAULT 0 NOT NULL,
	`window_ends_ms` integer
);

CREATE TABLE `leases` (
	`name` text PRIMARY KEY NOT NULL,
	`owner` text NOT NULL,
	`until_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `platform_facts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `servers` (
	`worker` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`place` text NOT NULL,
	`host` text NOT NULL,
	`pid` integer NOT NULL,
	`started_at` text NOT NULL,
	`serves` integer NOT NULL,
	`shares` integer NOT NULL,
	`lease_until_ms` integer NOT NULL,
	`ids_until_ms` integer NOT NULL
);

CREATE TABLE `joint_writes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`write_id` text NOT NULL,
	`store` text NOT NULL,
	`statements` text NOT NULL
);

CREATE TABLE `list_counts` (
	`account_id` text NOT NULL,
	`list` text NOT NULL,
	`of` text NOT NULL,
	`value` text NOT NULL,
	`class` integer NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `list`, `of`, `value`, `class`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `list_names` (
	`account_id` text NOT NULL,
	`list` text NOT NULL,
	`class` integer NOT NULL,
	`first` text NOT NULL,
	`last` text NOT NULL,
	`count` integer NOT NULL,
	PRIMARY KEY(`account_id`, `list`, `class`, `first`)
) WITHOUT ROWID;

CREATE TABLE `audience_leaves` (
	`leaf_id` text NOT NULL,
	`account_id` text NOT NULL,
	`custom_audience_id` text NOT NULL,
	PRIMARY KEY(`leaf_id`, `account_id`, `custom_audience_id`)
);

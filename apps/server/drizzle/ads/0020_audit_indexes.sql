DROP INDEX `change_log_entity`;--> statement-breakpoint
CREATE INDEX `change_log_account` ON `change_log` (`account_id`) WHERE "change_log"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `change_log_user` ON `change_log` (`change_by_user_id`) WHERE "change_log"."change_by_user_id" is not null;--> statement-breakpoint
CREATE INDEX `change_log_platform` ON `change_log` (`change_by_platform`) WHERE "change_log"."change_by_user_id" is null;--> statement-breakpoint
CREATE INDEX `change_log_entity` ON `change_log` (`entity`,`entity_id`);
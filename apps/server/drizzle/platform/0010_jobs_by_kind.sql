DROP INDEX `jobs_by_time`;--> statement-breakpoint
CREATE INDEX `jobs_by_time` ON `jobs` (`kind`,`due_ms`);
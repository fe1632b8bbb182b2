-- Renaming rewrites the index on activity as well, so no index is built anew.
ALTER TABLE `line_items` RENAME COLUMN "campaign_deleted" TO "parent_deleted";

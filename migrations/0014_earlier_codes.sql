CREATE TABLE `link_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_views_by_name` ON `link_views` (`user_id`,lower("name"));--> statement-breakpoint
ALTER TABLE `links` ADD `earlier_code_of` integer;--> statement-breakpoint
CREATE INDEX `links_earlier_codes` ON `links` (`earlier_code_of`) WHERE earlier_code_of is not null;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `code` text;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `tags` text;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `archived` integer;
CREATE TABLE `utm_templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`source` text NOT NULL,
	`medium` text NOT NULL,
	`campaign` text NOT NULL,
	`term` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `utm_templates_by_name` ON `utm_templates` (`user_id`,lower("name"));--> statement-breakpoint
ALTER TABLE `links` ADD `forward_params` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `forward_params` text DEFAULT '' NOT NULL;
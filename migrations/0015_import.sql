CREATE TABLE `link_imports` (
	`user_id` text NOT NULL,
	`row_key` text NOT NULL,
	`link_id` integer NOT NULL,
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	PRIMARY KEY(`user_id`, `row_key`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `links` ADD `imported_clicks` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `imported_from` text;--> statement-breakpoint
ALTER TABLE `links` ADD `imported_at` integer;
CREATE TABLE `link_changes` (
	`link_id` integer NOT NULL,
	`at` integer NOT NULL,
	`key_name` text DEFAULT '' NOT NULL,
	`target` text NOT NULL,
	`expires_at` integer,
	`status` text NOT NULL,
	`title` text NOT NULL,
	`note` text NOT NULL,
	PRIMARY KEY(`link_id`, `at`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_tags` (
	`link_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`link_created_at` integer NOT NULL,
	PRIMARY KEY(`link_id`, `tag_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `link_tags_by_tag` ON `link_tags` (`tag_id`,`link_created_at`,`link_id`);--> statement-breakpoint
CREATE TABLE `link_words` (
	`user_id` text NOT NULL,
	`word` text NOT NULL,
	`link_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `word`, `link_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`color` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_by_name` ON `tags` (`user_id`,lower("name"));--> statement-breakpoint
CREATE TABLE `account_totals` (
	`user_id` text PRIMARY KEY NOT NULL,
	`links` integer NOT NULL,
	`clicks` integer NOT NULL,
	`active` integer NOT NULL,
	`counted_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `links` ADD `title` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `note` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `favorite` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `archived` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `words` text;--> statement-breakpoint
ALTER TABLE `links` ADD `ranked_clicks` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `ranked_last_click_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `links_listed` ON `links` (`user_id`,`archived`,`created_at`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_listed_by_clicks` ON `links` (`user_id`,`archived`,`ranked_clicks`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_listed_by_last_click` ON `links` (`user_id`,`archived`,`ranked_last_click_at`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_listed_by_code` ON `links` (`user_id`,`archived`,code collate nocase) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_listed_by_host` ON `links` (`user_id`,`archived`,`target_host`,`created_at`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_favorite` ON `links` (`user_id`,`archived`,`created_at`) WHERE favorite = 1 and status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_disabled` ON `links` (`user_id`,`archived`,`created_at`) WHERE status = 'disabled';--> statement-breakpoint
CREATE INDEX `links_ending` ON `links` (`user_id`,`archived`,`expires_at`) WHERE expires_at is not null and status = 'active';--> statement-breakpoint
CREATE INDEX `links_trashed` ON `links` (`user_id`,`updated_at`) WHERE status = 'deleted';
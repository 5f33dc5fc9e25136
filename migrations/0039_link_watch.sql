CREATE TABLE `check_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`free_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_check_steps` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`home` text NOT NULL,
	`url` text NOT NULL,
	`method` text NOT NULL,
	`hops` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `link_health` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`home` text NOT NULL,
	`fallback` text DEFAULT '' NOT NULL,
	`state` text NOT NULL,
	`reason` text NOT NULL,
	`status` integer,
	`fails` integer DEFAULT 0 NOT NULL,
	`first_failed_at` integer,
	`since` integer NOT NULL,
	`checked_at` integer NOT NULL,
	`mailed_at` integer
);
--> statement-breakpoint
CREATE INDEX `link_health_to_mail` ON `link_health` (`link_id`) WHERE state = 'dead' and mailed_at is null;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `watch` text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `watch_fallback` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `by_watcher` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `watch` text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `watch_fallback` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `next_check_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `links_to_check` ON `links` (`next_check_at`) WHERE watch <> 'off';--> statement-breakpoint
CREATE INDEX `links_watched` ON `links` (`user_id`,`archived`,`created_at`) WHERE watch <> 'off' and status <> 'deleted';--> statement-breakpoint
CREATE TRIGGER `links_watch_cleared` AFTER UPDATE OF target ON `links`
WHEN new.target = '' AND old.target <> '' AND (new.watch <> 'off' OR new.watch_fallback <> '')
BEGIN
	UPDATE `links` SET watch = 'off', watch_fallback = '' WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `links_unwatched` AFTER UPDATE OF watch ON `links`
WHEN new.watch = 'off' AND old.watch <> 'off'
BEGIN
	DELETE FROM `link_health` WHERE link_id = new.id;
	DELETE FROM `link_check_steps` WHERE link_id = new.id;
END;

CREATE TABLE `link_destinations` (
	`link_id` integer NOT NULL,
	`host` text NOT NULL,
	`href` text NOT NULL,
	PRIMARY KEY(`link_id`, `href`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `link_destinations_by_host` ON `link_destinations` (`host`);--> statement-breakpoint
ALTER TABLE `link_changes` ADD `starts_at` integer;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `fallback_url` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `redirect_status` integer DEFAULT 302 NOT NULL;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `rules` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `starts_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `fallback_url` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `redirect_status` integer DEFAULT 302 NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `rules` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `links_ending_conditional` ON `links` (`user_id`,`archived`,`expires_at`) WHERE expires_at is not null and status = 'conditional';--> statement-breakpoint
CREATE TRIGGER `links_conditional_insert` AFTER INSERT ON `links`
WHEN new.status = 'active' AND (new.starts_at IS NOT NULL OR new.rules <> '')
BEGIN
	UPDATE `links` SET status = 'conditional' WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `links_conditional_update` AFTER UPDATE OF status, starts_at, rules ON `links`
WHEN new.status = 'active' AND (new.starts_at IS NOT NULL OR new.rules <> '')
	OR new.status = 'conditional' AND new.starts_at IS NULL AND new.rules = ''
BEGIN
	UPDATE `links` SET status = iif(new.status = 'active', 'conditional', 'active') WHERE id = new.id;
END;
--> statement-breakpoint
CREATE TRIGGER `links_cleared` AFTER UPDATE OF target ON `links`
WHEN new.target = '' AND old.target <> ''
BEGIN
	DELETE FROM `link_destinations` WHERE link_id = new.id;
	UPDATE `links` SET fallback_url = '', rules = '' WHERE id = new.id AND (fallback_url <> '' OR rules <> '');
END;

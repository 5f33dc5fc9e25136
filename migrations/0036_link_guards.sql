ALTER TABLE `link_changes` ADD `password_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `click_limit` integer;--> statement-breakpoint
ALTER TABLE `link_changes` ADD `limit_open` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `password_hash` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `click_limit` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `limit_open` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `limit_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `limit_used` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `links_ending_guarded` ON `links` (`user_id`,`archived`,`expires_at`) WHERE expires_at is not null and status = 'guarded';--> statement-breakpoint
CREATE TRIGGER `links_guarded_insert` AFTER INSERT ON `links`
WHEN new.status IN ('active', 'conditional') AND (new.password_hash <> '' OR new.click_limit IS NOT NULL)
BEGIN
	UPDATE `links` SET status = 'guarded' WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `links_guarded_update` AFTER UPDATE OF status, password_hash, click_limit ON `links`
WHEN new.status IN ('active', 'conditional') AND (new.password_hash <> '' OR new.click_limit IS NOT NULL)
	OR new.status = 'guarded' AND new.password_hash = '' AND new.click_limit IS NULL
BEGIN
	UPDATE `links` SET status = iif(new.status <> 'guarded', 'guarded', iif(new.starts_at IS NOT NULL OR new.rules <> '', 'conditional', 'active')) WHERE id = new.id;
END;--> statement-breakpoint
CREATE TRIGGER `links_guard_cleared` AFTER UPDATE OF target ON `links`
WHEN new.target = '' AND old.target <> '' AND new.password_hash <> ''
BEGIN
	UPDATE `links` SET password_hash = '' WHERE id = new.id;
END;

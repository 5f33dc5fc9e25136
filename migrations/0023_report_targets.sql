ALTER TABLE `abuse_reports` ADD `target` text;--> statement-breakpoint
ALTER TABLE `abuse_reports` ADD `target_host` text;--> statement-breakpoint
ALTER TABLE `abuse_reports` ADD `dismissed_target` text;--> statement-breakpoint
ALTER TABLE `abuse_reports` ADD `not_stored` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `abuse_reports_by_target_host` ON `abuse_reports` (`target_host`);--> statement-breakpoint
ALTER TABLE `links` ADD `target_changed_at` integer;
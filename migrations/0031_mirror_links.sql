ALTER TABLE `webhook_endpoints` ADD `tag` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `notes_version` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `links_by_end` ON `links` (`expires_at`) WHERE "links"."expires_at" is not null;
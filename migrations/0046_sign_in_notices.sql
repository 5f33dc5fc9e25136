ALTER TABLE `auth_sessions` ADD `notice_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `auth_sessions_by_notice` ON `auth_sessions` (`notice_hash`) WHERE notice_hash is not null;--> statement-breakpoint
ALTER TABLE `auth_users` ADD `known_browsers` text;
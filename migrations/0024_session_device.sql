ALTER TABLE `auth_sessions` ADD `browser` text;--> statement-breakpoint
ALTER TABLE `auth_sessions` ADD `os` text;--> statement-breakpoint
ALTER TABLE `auth_sessions` ADD `country` text;
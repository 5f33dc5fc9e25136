CREATE TABLE `shared_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`link_id` integer,
	`tag_id` integer,
	`secret_hash` text NOT NULL,
	`title` text NOT NULL,
	`parts` text NOT NULL,
	`period` text NOT NULL,
	`first_day` integer,
	`last_day` integer,
	`expires_at` integer,
	`password_hash` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shared_reports_by_secret` ON `shared_reports` (`secret_hash`);--> statement-breakpoint
CREATE INDEX `shared_reports_by_user` ON `shared_reports` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `shared_reports_by_tag` ON `shared_reports` (`tag_id`) WHERE tag_id is not null;--> statement-breakpoint
CREATE INDEX `shared_reports_by_end` ON `shared_reports` (`expires_at`) WHERE expires_at is not null;
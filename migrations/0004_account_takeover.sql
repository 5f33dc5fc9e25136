CREATE TABLE `address_standing` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`suspended_at` integer,
	`suspended_reason` text,
	`demoted_at` integer,
	`cycle_anchor` integer,
	`billing_cycle_start` integer,
	`current_usage` integer,
	`quota_until` integer
);
--> statement-breakpoint
CREATE INDEX `address_standing_by_quota_until` ON `address_standing` (`quota_until`) WHERE "address_standing"."quota_until" is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_reason` text;--> statement-breakpoint
ALTER TABLE `auth_users` ADD `proven_at` integer;--> statement-breakpoint
ALTER TABLE `auth_users` ADD `sign_up_secret_hash` text;
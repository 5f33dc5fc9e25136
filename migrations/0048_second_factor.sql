CREATE TABLE `auth_factor_resets` (
	`user_id` text PRIMARY KEY NOT NULL,
	`stop_hash` text NOT NULL,
	`off_hash` text,
	`requested_at` integer NOT NULL,
	`ready_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_factor_resets_by_stop` ON `auth_factor_resets` (`stop_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `auth_factor_resets_by_off` ON `auth_factor_resets` (`off_hash`);--> statement-breakpoint
CREATE TABLE `auth_pending_sign_ins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`amr` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`browser` text,
	`os` text,
	`country` text
);
--> statement-breakpoint
CREATE INDEX `auth_pending_sign_ins_by_user` ON `auth_pending_sign_ins` (`user_id`);--> statement-breakpoint
CREATE TABLE `auth_recovery_codes` (
	`user_id` text NOT NULL,
	`code_hash` text NOT NULL,
	PRIMARY KEY(`user_id`, `code_hash`)
);
--> statement-breakpoint
ALTER TABLE `auth_users` ADD `totp_secret` text;--> statement-breakpoint
ALTER TABLE `auth_users` ADD `totp_confirmed_at` integer;--> statement-breakpoint
ALTER TABLE `auth_users` ADD `totp_last_step` integer;
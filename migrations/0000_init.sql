CREATE TABLE `abuse_reports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`link_id` integer NOT NULL,
	`reason` text NOT NULL,
	`details` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`closed_by` text
);
--> statement-breakpoint
CREATE INDEX `abuse_reports_by_status` ON `abuse_reports` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `abuse_reports_by_link` ON `abuse_reports` (`link_id`);--> statement-breakpoint
CREATE TABLE `admin_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`admin_id` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`before` text DEFAULT 'null' NOT NULL,
	`after` text DEFAULT 'null' NOT NULL,
	`reason` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `admin_log_by_subject` ON `admin_log` (`subject`);--> statement-breakpoint
CREATE TABLE `blocklist` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`added_by` text,
	`created_at` integer NOT NULL,
	`applied_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `value`)
);
--> statement-breakpoint
CREATE INDEX `blocklist_by_applied` ON `blocklist` (`applied_at`);--> statement-breakpoint
CREATE TABLE `counters` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `counters_by_expires` ON `counters` (`expires_at`);--> statement-breakpoint
CREATE TABLE `deleted_users` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`deleted_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `job_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`ok` integer DEFAULT true NOT NULL,
	`detail` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `link_outbox` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`queued_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `link_outbox_by_queued` ON `link_outbox` (`queued_at`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`code` text NOT NULL,
	`is_alias` integer DEFAULT false NOT NULL,
	`target` text NOT NULL,
	`target_host` text NOT NULL,
	`user_id` text,
	`status` text DEFAULT 'active' NOT NULL,
	`disabled_by` text,
	`disabled_reason` text,
	`expires_at` integer,
	`recheck_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_code` ON `links` (`host`,`code`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_alias` ON `links` (`host`,lower("code")) WHERE "links"."is_alias" = 1;--> statement-breakpoint
CREATE INDEX `links_by_user` ON `links` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `links_by_target_host` ON `links` (`target_host`);--> statement-breakpoint
CREATE INDEX `links_to_recheck` ON `links` (`recheck_at`) WHERE "links"."recheck_at" is not null;--> statement-breakpoint
CREATE TABLE `posts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`published` integer DEFAULT false NOT NULL,
	`author_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`published_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `posts_by_slug` ON `posts` (`slug`);--> statement-breakpoint
CREATE INDEX `posts_by_published` ON `posts` (`published`,`created_at`);--> statement-breakpoint
CREATE INDEX `posts_by_author` ON `posts` (`author_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`plan` text DEFAULT 'free' NOT NULL,
	`monthly_limit` integer NOT NULL,
	`current_usage` integer DEFAULT 0 NOT NULL,
	`cycle_anchor` integer NOT NULL,
	`billing_cycle_start` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`role` text DEFAULT 'user' NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_created` ON `users` (`created_at`);--> statement-breakpoint
CREATE TABLE `click_counts` (
	`link_id` integer NOT NULL,
	`grain` text NOT NULL,
	`at` integer NOT NULL,
	`human` integer DEFAULT 0 NOT NULL,
	`bot` integer DEFAULT 0 NOT NULL,
	`prefetch` integer DEFAULT 0 NOT NULL,
	`visitors` integer DEFAULT 0 NOT NULL,
	`active_days` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`link_id`, `grain`, `at`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `click_dims` (
	`link_id` integer NOT NULL,
	`grain` text NOT NULL,
	`at` integer NOT NULL,
	`dim` text NOT NULL,
	`val` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`link_id`, `grain`, `at`, `dim`, `val`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `click_faults` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`reason` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `click_visitors` (
	`day` integer NOT NULL,
	`link_id` integer NOT NULL,
	`visitor` text NOT NULL,
	`attempt` text NOT NULL,
	PRIMARY KEY(`day`, `link_id`, `visitor`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `click_windows` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt` text NOT NULL,
	`received_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `click_windows_by_received` ON `click_windows` (`received_at`);--> statement-breakpoint
CREATE TABLE `link_totals` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`human` integer DEFAULT 0 NOT NULL,
	`bot` integer DEFAULT 0 NOT NULL,
	`prefetch` integer DEFAULT 0 NOT NULL,
	`visitors` integer DEFAULT 0 NOT NULL,
	`first_at` integer,
	`last_at` integer,
	`recent` text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `visitor_keys` (
	`day` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `auth_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`code_challenge` text NOT NULL,
	`code_challenge_method` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `auth_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`public_jwk` text NOT NULL,
	`private_jwk` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `auth_one_time_tokens` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`token_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_attempts` integer DEFAULT 0 NOT NULL,
	`code_challenge` text,
	`code_challenge_method` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_one_time_tokens_by_hash` ON `auth_one_time_tokens` (`token_hash`);--> statement-breakpoint
CREATE TABLE `auth_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`counter` integer DEFAULT 0 NOT NULL,
	`refreshed_at` integer NOT NULL,
	`amr` text NOT NULL,
	`created_at` integer NOT NULL,
	`not_after` integer
);
--> statement-breakpoint
CREATE INDEX `auth_sessions_by_user` ON `auth_sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `auth_users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`email_confirmed_at` integer,
	`app_metadata` text DEFAULT '{}' NOT NULL,
	`user_metadata` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_sign_in_at` integer,
	`confirmation_sent_at` integer,
	`recovery_sent_at` integer,
	`banned_until` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_users_by_email` ON `auth_users` (`email`);--> statement-breakpoint
CREATE TABLE `dev_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`link` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dev_mails_by_to` ON `dev_mails` (`to`);

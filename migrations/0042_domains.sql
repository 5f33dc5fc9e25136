CREATE TABLE `domain_claims` (
	`host` text NOT NULL,
	`owner_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`checked_at` integer,
	`seen` text DEFAULT '' NOT NULL,
	PRIMARY KEY(`host`, `owner_id`)
);
--> statement-breakpoint
CREATE INDEX `domain_claims_by_owner` ON `domain_claims` (`owner_id`);--> statement-breakpoint
CREATE INDEX `domain_claims_by_expires` ON `domain_claims` (`expires_at`);--> statement-breakpoint
CREATE TABLE `domain_hosts` (
	`host` text PRIMARY KEY NOT NULL,
	`domain_id` text NOT NULL,
	`saas_id` text DEFAULT '' NOT NULL,
	`saas_status` text DEFAULT '' NOT NULL,
	`ssl_status` text DEFAULT '' NOT NULL,
	`fault` text DEFAULT '' NOT NULL,
	`proven_at` integer,
	`active_at` integer,
	`failing_since` integer,
	`mails` integer DEFAULT 0 NOT NULL,
	`checks` integer DEFAULT 0 NOT NULL,
	`next_check_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `domain_hosts_by_domain` ON `domain_hosts` (`domain_id`);--> statement-breakpoint
CREATE INDEX `domain_hosts_to_check` ON `domain_hosts` (`next_check_at`) WHERE next_check_at is not null;--> statement-breakpoint
CREATE TABLE `domains` (
	`id` text PRIMARY KEY NOT NULL,
	`owner_id` text NOT NULL,
	`name` text NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`suspended_reason` text,
	`root_url` text DEFAULT '' NOT NULL,
	`not_found_url` text DEFAULT '' NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `domains_by_owner` ON `domains` (`owner_id`);--> statement-breakpoint
ALTER TABLE `links` ADD `domain_id` text GENERATED ALWAYS AS (case substr(code, 2, 1) when '.' then substr(code, 1, 12) else '' end) VIRTUAL;--> statement-breakpoint
CREATE INDEX `links_listed_by_domain` ON `links` (`user_id`,`domain_id`,`archived`,`created_at`) WHERE domain_id <> '' and status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_on_domain` ON `links` (`domain_id`) WHERE domain_id <> '';--> statement-breakpoint
ALTER TABLE `users` ADD `default_domain` text DEFAULT '' NOT NULL;
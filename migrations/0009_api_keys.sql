CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`code_prefix` text DEFAULT '' NOT NULL,
	`prefix` text NOT NULL,
	`secret_hash` text NOT NULL,
	`previous_hash` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_secret` ON `api_keys` (`secret_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_previous` ON `api_keys` (`previous_hash`) WHERE "api_keys"."previous_hash" is not null;--> statement-breakpoint
CREATE INDEX `api_keys_by_user` ON `api_keys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `idempotent_requests` (
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`attempt` text NOT NULL,
	`leased_until` integer NOT NULL,
	`made` text DEFAULT '{}' NOT NULL,
	`answer` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotent_requests_by_expires` ON `idempotent_requests` (`expires_at`);--> statement-breakpoint
ALTER TABLE `links` ADD `external_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_external_id` ON `links` (`user_id`,`external_id`) WHERE "links"."external_id" is not null and "links"."status" <> 'deleted';
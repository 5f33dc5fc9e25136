CREATE TABLE `domain_removals` (
	`saas_id` text PRIMARY KEY NOT NULL,
	`host` text NOT NULL,
	`tries` integer DEFAULT 0 NOT NULL,
	`next_try_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `domain_transfers` (
	`domain_id` text PRIMARY KEY NOT NULL,
	`from_id` text NOT NULL,
	`to_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `domain_transfers_by_to` ON `domain_transfers` (`to_id`);--> statement-breakpoint
CREATE INDEX `domain_transfers_by_expires` ON `domain_transfers` (`expires_at`);--> statement-breakpoint
ALTER TABLE `domain_hosts` ADD `proof` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `domain_hosts` ADD `seen` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `domain_hosts` ADD `checked_at` integer;
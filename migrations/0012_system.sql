CREATE TABLE `set_aside_windows` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`tried_at` integer NOT NULL,
	`clicks` integer NOT NULL,
	`reason` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `system_facts` (
	`name` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`value` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `job_runs` ADD `failing_since` integer;
CREATE TABLE `account_days` (
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`rev` integer NOT NULL,
	`counts` text NOT NULL,
	`top` text NOT NULL,
	PRIMARY KEY(`user_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `rolled_up_links` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`rev` integer NOT NULL,
	`human` integer NOT NULL,
	`bot` integer NOT NULL,
	`prefetch` integer NOT NULL,
	`visitors` integer NOT NULL,
	`days` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `weekly_mails` (
	`user_id` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`sent_week` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `weekly_mails_by_sent` ON `weekly_mails` (`sent_week`);
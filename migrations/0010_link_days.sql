CREATE TABLE `link_months` (
	`link_id` integer NOT NULL,
	`month` integer NOT NULL,
	`through` integer NOT NULL,
	`active_days` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `month`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `link_totals` ADD `rev` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `link_totals` ADD `day` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `link_totals` ADD `counts` text DEFAULT '[0,0,0,0]' NOT NULL;--> statement-breakpoint
-- Periods of seven months take turns in these four tables, which are dropped and created again (worker/clicks/tables.ts).
CREATE TABLE `link_days_0` (
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `link_days_1` (
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `link_days_2` (
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
) WITHOUT ROWID;--> statement-breakpoint
CREATE TABLE `link_days_3` (
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
) WITHOUT ROWID;

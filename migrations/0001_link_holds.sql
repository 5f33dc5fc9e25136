CREATE TABLE `link_holds` (
	`link_id` integer NOT NULL,
	`kind` text NOT NULL,
	`value` text DEFAULT '' NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`link_id`, `kind`, `value`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `link_holds_by_value` ON `link_holds` (`kind`,`value`);
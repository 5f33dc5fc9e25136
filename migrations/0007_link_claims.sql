CREATE TABLE `link_claims` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `link_claims_by_expires` ON `link_claims` (`expires_at`);
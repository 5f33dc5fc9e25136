CREATE TABLE `host_outbox` (
	`host` text PRIMARY KEY NOT NULL,
	`queued_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `host_outbox_by_queued` ON `host_outbox` (`queued_at`);
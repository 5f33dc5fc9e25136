ALTER TABLE `counters` ADD `attempt` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `attempt` text;
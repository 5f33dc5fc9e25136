ALTER TABLE `users` ADD `report_read_at` integer;--> statement-breakpoint
ALTER TABLE `users` ADD `report_used_since` integer;--> statement-breakpoint
ALTER TABLE `link_totals` ADD `window_ids` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
-- Accounts that are rolled up now stay so for as long as if their report had been read today.
UPDATE `users` SET `report_read_at` = unixepoch() * 1000, `report_used_since` = 0 WHERE `id` IN (SELECT `user_id` FROM `account_days`);
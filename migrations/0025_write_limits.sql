ALTER TABLE `webhook_deliveries` ADD `queued_until` integer;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_queued` ON `webhook_deliveries` (`queued_until`,`endpoint_id`) WHERE "webhook_deliveries"."queued_until" is not null;--> statement-breakpoint
ALTER TABLE `webhook_endpoints` ADD `answered_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `changes_until` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `webhook_endpoints` SET `answered_at` = (SELECT min(`created_at`) FROM `webhook_deliveries` WHERE `endpoint_id` = `webhook_endpoints`.`id` AND `status` = 'delivered');

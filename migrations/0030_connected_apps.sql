ALTER TABLE `api_keys` ADD `app_host` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `code_binding` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `code_until` integer;--> statement-breakpoint
CREATE INDEX `api_keys_by_code_until` ON `api_keys` (`code_until`) WHERE "api_keys"."code_until" is not null;
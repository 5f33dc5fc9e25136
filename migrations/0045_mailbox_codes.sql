ALTER TABLE `auth_flows` ADD `mailbox` text;--> statement-breakpoint
ALTER TABLE `auth_flows` ADD `mailbox_code_hash` text;--> statement-breakpoint
ALTER TABLE `auth_flows` ADD `mailbox_attempts` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `auth_flows` ADD `mailbox_proven_at` integer;--> statement-breakpoint
ALTER TABLE `auth_identities` ADD `proven_email` text;
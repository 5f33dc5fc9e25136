CREATE TABLE `auth_flow_failures` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`reason` text NOT NULL,
	`detail` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `auth_flows` (
	`id` text PRIMARY KEY NOT NULL,
	`state_hash` text,
	`code_hash` text,
	`challenge` text NOT NULL,
	`next` text NOT NULL,
	`user_id` text,
	`network` text NOT NULL,
	`claims` text,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_flows_by_state` ON `auth_flows` (`state_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `auth_flows_by_code` ON `auth_flows` (`code_hash`);--> statement-breakpoint
CREATE INDEX `auth_flows_by_network` ON `auth_flows` (`network`);--> statement-breakpoint
CREATE TABLE `auth_identities` (
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`user_id` text NOT NULL,
	`email` text NOT NULL,
	`in_admin_group` integer DEFAULT false NOT NULL,
	`linked_at` integer NOT NULL,
	`used_at` integer NOT NULL,
	PRIMARY KEY(`issuer`, `subject`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_identities_by_user` ON `auth_identities` (`user_id`,`issuer`);
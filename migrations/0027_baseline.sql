-- The whole schema of version 1.0.0. Its number is above those of the migrations that it replaces, so that a database or a
-- backup from before 1.0.0 is told by its name (worker/db/baseline.ts).
-- WITHOUT ROWID and the tables `link_days_0` to `link_days_3` were added by hand: Drizzle can express neither.
-- Periods of seven months take turns in these four tables, which are dropped and created again (worker/clicks/fold/tables.ts).
CREATE TABLE `account_days` (
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`rev` integer NOT NULL,
	`counts` text NOT NULL,
	`top` text NOT NULL,
	PRIMARY KEY(`user_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `account_totals` (
	`user_id` text PRIMARY KEY NOT NULL,
	`links` integer NOT NULL,
	`clicks` integer NOT NULL,
	`active` integer NOT NULL,
	`counted_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `rolled_up_links` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`rev` integer NOT NULL,
	`human` integer NOT NULL,
	`bot` integer NOT NULL,
	`prefetch` integer NOT NULL,
	`visitors` integer NOT NULL,
	`days` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `weekly_mails` (
	`user_id` text PRIMARY KEY NOT NULL,
	`since` integer NOT NULL,
	`sent_week` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `weekly_mails_by_sent` ON `weekly_mails` (`sent_week`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`scopes` text NOT NULL,
	`code_prefix` text DEFAULT '' NOT NULL,
	`prefix` text NOT NULL,
	`secret_hash` text NOT NULL,
	`previous_hash` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`last_used_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_secret` ON `api_keys` (`secret_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_by_previous` ON `api_keys` (`previous_hash`) WHERE "api_keys"."previous_hash" is not null;--> statement-breakpoint
CREATE INDEX `api_keys_by_user` ON `api_keys` (`user_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `idempotent_requests` (
	`user_id` text NOT NULL,
	`key` text NOT NULL,
	`request_hash` text NOT NULL,
	`attempt` text NOT NULL,
	`leased_until` integer NOT NULL,
	`made` text DEFAULT '{}' NOT NULL,
	`answer` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `key`)
);
--> statement-breakpoint
CREATE INDEX `idempotent_requests_by_expires` ON `idempotent_requests` (`expires_at`);--> statement-breakpoint
CREATE TABLE `webhook_click_windows` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt` text NOT NULL,
	`seen_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhook_click_windows_by_seen` ON `webhook_click_windows` (`seen_at`);--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`endpoint_id` text NOT NULL,
	`message_id` text NOT NULL,
	`link_id` integer,
	`type` text NOT NULL,
	`sequence` integer NOT NULL,
	`data` text NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`due_at` integer,
	`queued_until` integer,
	`created_at` integer NOT NULL,
	`response_status` integer,
	`response_text` text,
	`duration_ms` integer,
	`error` text
);
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_endpoint` ON `webhook_deliveries` (`endpoint_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`due_at`) WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_in_line` ON `webhook_deliveries` (`endpoint_id`,`due_at`) WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_queued` ON `webhook_deliveries` (`queued_until`,`endpoint_id`) WHERE "webhook_deliveries"."queued_until" is not null;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_created` ON `webhook_deliveries` (`created_at`);--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_deliveries_collecting` ON `webhook_deliveries` (`endpoint_id`,`link_id`) WHERE "webhook_deliveries"."status" = 'collecting';--> statement-breakpoint
CREATE TABLE `webhook_endpoints` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text DEFAULT '' NOT NULL,
	`events` text NOT NULL,
	`salt` text NOT NULL,
	`previous_salt` text,
	`previous_until` integer,
	`created_at` integer NOT NULL,
	`disabled_at` integer,
	`disabled_by` text,
	`failing_since` integer,
	`answered_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhook_endpoints_by_user` ON `webhook_endpoints` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `webhook_endpoints_for_clicks` ON `webhook_endpoints` (`user_id`) WHERE instr("webhook_endpoints"."events", 'link.clicked') > 0 and "webhook_endpoints"."disabled_at" is null;--> statement-breakpoint
CREATE TABLE `auth_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`public_jwk` text NOT NULL,
	`private_jwk` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`retired_at` integer
);
--> statement-breakpoint
CREATE TABLE `auth_one_time_tokens` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`token_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_attempts` integer DEFAULT 0 NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_one_time_tokens_by_hash` ON `auth_one_time_tokens` (`token_hash`);--> statement-breakpoint
CREATE TABLE `auth_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`counter` integer DEFAULT 0 NOT NULL,
	`refreshed_at` integer NOT NULL,
	`amr` text NOT NULL,
	`created_at` integer NOT NULL,
	`not_after` integer,
	`browser` text,
	`os` text,
	`country` text
);
--> statement-breakpoint
CREATE INDEX `auth_sessions_by_user` ON `auth_sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `auth_users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`email_confirmed_at` integer,
	`app_metadata` text DEFAULT '{}' NOT NULL,
	`user_metadata` text DEFAULT '{}' NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`last_sign_in_at` integer,
	`confirmation_sent_at` integer,
	`recovery_sent_at` integer,
	`banned_until` integer,
	`proven_at` integer,
	`sign_up_secret_hash` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `auth_users_by_email` ON `auth_users` (`email`);--> statement-breakpoint
CREATE TABLE `dev_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`link` text NOT NULL,
	`sent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `dev_mails_by_to` ON `dev_mails` (`to`);--> statement-breakpoint
CREATE TABLE `posts` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`content` text NOT NULL,
	`published` integer DEFAULT false NOT NULL,
	`author_id` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`published_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `posts_by_slug` ON `posts` (`slug`);--> statement-breakpoint
CREATE INDEX `posts_by_published` ON `posts` (`published`,`created_at`);--> statement-breakpoint
CREATE INDEX `posts_by_author` ON `posts` (`author_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `click_faults` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`reason` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `link_months` (
	`link_id` integer NOT NULL,
	`month` integer NOT NULL,
	`through` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `month`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_totals` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`human` integer DEFAULT 0 NOT NULL,
	`bot` integer DEFAULT 0 NOT NULL,
	`prefetch` integer DEFAULT 0 NOT NULL,
	`visitors` integer DEFAULT 0 NOT NULL,
	`first_at` integer,
	`last_at` integer,
	`recent` text DEFAULT '[]' NOT NULL,
	`rev` integer DEFAULT 0 NOT NULL,
	`day` integer DEFAULT 0 NOT NULL,
	`counts` text DEFAULT '[0,0,0,0]' NOT NULL,
	`window_ids` text DEFAULT '[]' NOT NULL,
	`visitor_sets` text DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `visitor_keys` (
	`day` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `link_changes` (
	`link_id` integer NOT NULL,
	`at` integer NOT NULL,
	`key_name` text DEFAULT '' NOT NULL,
	`target` text NOT NULL,
	`expires_at` integer,
	`status` text NOT NULL,
	`title` text NOT NULL,
	`note` text NOT NULL,
	`forward_params` text DEFAULT '' NOT NULL,
	`code` text NOT NULL,
	`tags` text NOT NULL,
	`archived` integer NOT NULL,
	PRIMARY KEY(`link_id`, `at`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_imports` (
	`user_id` text NOT NULL,
	`row_key` text NOT NULL,
	`link_id` integer NOT NULL,
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	PRIMARY KEY(`user_id`, `row_key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_tags` (
	`link_id` integer NOT NULL,
	`tag_id` integer NOT NULL,
	`link_created_at` integer NOT NULL,
	PRIMARY KEY(`link_id`, `tag_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `link_tags_by_tag` ON `link_tags` (`tag_id`,`link_created_at`,`link_id`);--> statement-breakpoint
CREATE TABLE `link_views` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `link_views_by_name` ON `link_views` (`user_id`,lower("name"));--> statement-breakpoint
CREATE TABLE `link_words` (
	`user_id` text NOT NULL,
	`word` text NOT NULL,
	`link_id` integer NOT NULL,
	PRIMARY KEY(`user_id`, `word`, `link_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `tags` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`color` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tags_by_name` ON `tags` (`user_id`,lower("name"));--> statement-breakpoint
CREATE TABLE `utm_templates` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`source` text NOT NULL,
	`medium` text NOT NULL,
	`campaign` text NOT NULL,
	`term` text NOT NULL,
	`content` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `utm_templates_by_name` ON `utm_templates` (`user_id`,lower("name"));--> statement-breakpoint
CREATE TABLE `qr_presets` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`style` text NOT NULL,
	`logo` text NOT NULL,
	`is_default` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `qr_presets_by_name` ON `qr_presets` (`user_id`,lower("name"));--> statement-breakpoint
CREATE TABLE `admin_claims` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `job_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`ok` integer DEFAULT true NOT NULL,
	`detail` text DEFAULT '' NOT NULL,
	`failing_since` integer
);
--> statement-breakpoint
CREATE TABLE `set_aside_windows` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`tried_at` integer NOT NULL,
	`clicks` integer NOT NULL,
	`reason` text NOT NULL,
	`body` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `system_facts` (
	`name` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`value` text DEFAULT '' NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `abuse_reports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`link_id` integer NOT NULL,
	`reason` text NOT NULL,
	`details` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`closed_by` text,
	`target` text,
	`target_host` text,
	`dismissed_target` text,
	`not_stored` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `abuse_reports_by_status` ON `abuse_reports` (`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `abuse_reports_by_link` ON `abuse_reports` (`link_id`);--> statement-breakpoint
CREATE INDEX `abuse_reports_by_target_host` ON `abuse_reports` (`target_host`);--> statement-breakpoint
CREATE TABLE `address_standing` (
	`address_hash` text PRIMARY KEY NOT NULL,
	`suspended_at` integer,
	`suspended_reason` text,
	`demoted_at` integer,
	`cycle_anchor` integer,
	`billing_cycle_start` integer,
	`current_usage` integer,
	`quota_until` integer
);
--> statement-breakpoint
CREATE INDEX `address_standing_by_quota_until` ON `address_standing` (`quota_until`) WHERE "address_standing"."quota_until" is not null;--> statement-breakpoint
CREATE TABLE `admin_log` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`admin_id` text NOT NULL,
	`action` text NOT NULL,
	`subject` text NOT NULL,
	`before` text DEFAULT 'null' NOT NULL,
	`after` text DEFAULT 'null' NOT NULL,
	`reason` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `admin_log_by_subject` ON `admin_log` (`subject`);--> statement-breakpoint
CREATE TABLE `blocklist` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`added_by` text,
	`created_at` integer NOT NULL,
	`applied_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `value`)
);
--> statement-breakpoint
CREATE INDEX `blocklist_by_applied` ON `blocklist` (`applied_at`);--> statement-breakpoint
CREATE TABLE `counters` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`attempt` text
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `counters_by_expires` ON `counters` (`expires_at`);--> statement-breakpoint
CREATE TABLE `deleted_users` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`deleted_at` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_claims` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `link_claims_by_expires` ON `link_claims` (`expires_at`);--> statement-breakpoint
CREATE TABLE `link_holds` (
	`link_id` integer NOT NULL,
	`kind` text NOT NULL,
	`value` text DEFAULT '' NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`link_id`, `kind`, `value`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `link_holds_by_value` ON `link_holds` (`kind`,`value`);--> statement-breakpoint
CREATE TABLE `link_outbox` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`queued_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `link_outbox_by_queued` ON `link_outbox` (`queued_at`);--> statement-breakpoint
CREATE TABLE `links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`code` text NOT NULL,
	`is_alias` integer DEFAULT false NOT NULL,
	`target` text NOT NULL,
	`target_host` text NOT NULL,
	`user_id` text,
	`external_id` text,
	`status` text DEFAULT 'active' NOT NULL,
	`disabled_by` text,
	`disabled_reason` text,
	`expires_at` integer,
	`recheck_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`title` text DEFAULT '' NOT NULL,
	`note` text DEFAULT '' NOT NULL,
	`favorite` integer DEFAULT false NOT NULL,
	`archived` integer DEFAULT false NOT NULL,
	`words` text,
	`forward_params` text DEFAULT '' NOT NULL,
	`earlier_code_of` integer,
	`ranked_clicks` integer DEFAULT 0 NOT NULL,
	`ranked_last_click_at` integer DEFAULT 0 NOT NULL,
	`shard` integer DEFAULT 0 NOT NULL,
	`imported_clicks` integer,
	`imported_from` text,
	`imported_at` integer,
	`target_changed_at` integer,
	`changes_until` integer DEFAULT 0 NOT NULL,
	`released_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_code` ON `links` (`code`) WHERE released_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_alias` ON `links` (lower("code")) WHERE is_alias = 1 and released_at is null;--> statement-breakpoint
CREATE INDEX `links_by_user` ON `links` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `links_by_target_host` ON `links` (`target_host`);--> statement-breakpoint
CREATE UNIQUE INDEX `links_by_external_id` ON `links` (`user_id`,`external_id`) WHERE "links"."external_id" is not null and "links"."status" <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_to_recheck` ON `links` (`recheck_at`) WHERE "links"."recheck_at" is not null;--> statement-breakpoint
CREATE INDEX `links_listed` ON `links` (`user_id`,`archived`,`created_at`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_listed_by_clicks` ON `links` (`user_id`,`archived`,`ranked_clicks`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_listed_by_last_click` ON `links` (`user_id`,`archived`,`ranked_last_click_at`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_listed_by_code` ON `links` (`user_id`,`archived`,code collate nocase) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_listed_by_host` ON `links` (`user_id`,`archived`,`target_host`,`created_at`) WHERE status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_favorite` ON `links` (`user_id`,`archived`,`created_at`) WHERE favorite = 1 and status <> 'deleted';--> statement-breakpoint
CREATE INDEX `links_disabled` ON `links` (`user_id`,`archived`,`created_at`) WHERE status = 'disabled';--> statement-breakpoint
CREATE INDEX `links_ending` ON `links` (`user_id`,`archived`,`expires_at`) WHERE expires_at is not null and status = 'active';--> statement-breakpoint
CREATE INDEX `links_trashed` ON `links` (`user_id`,`updated_at`) WHERE status = 'deleted';--> statement-breakpoint
CREATE INDEX `links_earlier_codes` ON `links` (`earlier_code_of`) WHERE earlier_code_of is not null;--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`plan` text DEFAULT 'free' NOT NULL,
	`monthly_limit` integer NOT NULL,
	`current_usage` integer DEFAULT 0 NOT NULL,
	`cycle_anchor` integer NOT NULL,
	`billing_cycle_start` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`downgrade_at` integer,
	`attempt` text
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`role` text DEFAULT 'user' NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`suspended_at` integer,
	`suspended_reason` text,
	`report_read_at` integer,
	`report_used_since` integer
);
--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);--> statement-breakpoint
CREATE INDEX `users_by_created` ON `users` (`created_at`);--> statement-breakpoint
CREATE INDEX `users_by_report_read` ON `users` (`report_read_at`) WHERE report_read_at is not null;
--> statement-breakpoint
CREATE TABLE `link_days_0` (
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_days_1` (
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_days_2` (
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `link_days_3` (
	`link_id` integer NOT NULL,
	`day` integer NOT NULL,
	`counts` text NOT NULL,
	PRIMARY KEY(`link_id`, `day`)
) WITHOUT ROWID;

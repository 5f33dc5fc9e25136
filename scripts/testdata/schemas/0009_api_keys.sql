CREATE TABLE `abuse_reports` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`link_id` integer NOT NULL,
	`reason` text NOT NULL,
	`details` text DEFAULT '' NOT NULL,
	`status` text DEFAULT 'open' NOT NULL,
	`created_at` integer NOT NULL,
	`closed_at` integer,
	`closed_by` text
);
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
CREATE TABLE `admin_claims` (
	`token_hash` text PRIMARY KEY NOT NULL,
	`expires_at` integer NOT NULL
);
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
CREATE TABLE `auth_codes` (
	`code_hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`code_challenge` text NOT NULL,
	`code_challenge_method` text NOT NULL,
	`expires_at` integer NOT NULL
);
CREATE TABLE `auth_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`public_jwk` text NOT NULL,
	`private_jwk` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL
, `retired_at` integer);
CREATE TABLE `auth_one_time_tokens` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`token_hash` text NOT NULL,
	`code_hash` text NOT NULL,
	`code_attempts` integer DEFAULT 0 NOT NULL,
	`code_challenge` text,
	`code_challenge_method` text,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`)
);
CREATE TABLE `auth_sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`counter` integer DEFAULT 0 NOT NULL,
	`refreshed_at` integer NOT NULL,
	`amr` text NOT NULL,
	`created_at` integer NOT NULL,
	`not_after` integer
);
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
	`banned_until` integer
, `proven_at` integer, `sign_up_secret_hash` text);
CREATE TABLE `blocklist` (
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`added_by` text,
	`created_at` integer NOT NULL,
	`applied_at` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `value`)
);
CREATE TABLE `click_counts` (
	`link_id` integer NOT NULL,
	`grain` text NOT NULL,
	`at` integer NOT NULL,
	`human` integer DEFAULT 0 NOT NULL,
	`bot` integer DEFAULT 0 NOT NULL,
	`prefetch` integer DEFAULT 0 NOT NULL,
	`visitors` integer DEFAULT 0 NOT NULL,
	`active_days` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`link_id`, `grain`, `at`)
) WITHOUT ROWID;
CREATE TABLE `click_dims` (
	`link_id` integer NOT NULL,
	`grain` text NOT NULL,
	`at` integer NOT NULL,
	`dim` text NOT NULL,
	`val` text NOT NULL,
	`n` integer NOT NULL,
	PRIMARY KEY(`link_id`, `grain`, `at`, `dim`, `val`)
) WITHOUT ROWID;
CREATE TABLE `click_faults` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`at` integer NOT NULL,
	`reason` text NOT NULL,
	`body` text NOT NULL
);
CREATE TABLE `click_visitors` (
	`day` integer NOT NULL,
	`link_id` integer NOT NULL,
	`visitor` text NOT NULL,
	`attempt` text NOT NULL,
	PRIMARY KEY(`day`, `link_id`, `visitor`)
) WITHOUT ROWID;
CREATE TABLE `click_windows` (
	`id` text PRIMARY KEY NOT NULL,
	`attempt` text NOT NULL,
	`received_at` integer NOT NULL
) WITHOUT ROWID;
CREATE TABLE `counters` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`expires_at` integer NOT NULL
) WITHOUT ROWID;
CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);
CREATE TABLE `deleted_users` (
	`id_hash` text PRIMARY KEY NOT NULL,
	`deleted_at` integer NOT NULL
) WITHOUT ROWID;
CREATE TABLE `dev_mails` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`to` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`link` text NOT NULL,
	`sent_at` integer NOT NULL
);
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
CREATE TABLE `job_runs` (
	`name` text PRIMARY KEY NOT NULL,
	`started_at` integer NOT NULL,
	`finished_at` integer,
	`ok` integer DEFAULT true NOT NULL,
	`detail` text DEFAULT '' NOT NULL
);
CREATE TABLE `link_claims` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`token_hash` text NOT NULL,
	`expires_at` integer NOT NULL
);
CREATE TABLE `link_holds` (
	`link_id` integer NOT NULL,
	`kind` text NOT NULL,
	`value` text DEFAULT '' NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`link_id`, `kind`, `value`)
) WITHOUT ROWID;
CREATE TABLE `link_outbox` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`version` integer NOT NULL,
	`queued_at` integer NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL
);
CREATE TABLE `link_totals` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`human` integer DEFAULT 0 NOT NULL,
	`bot` integer DEFAULT 0 NOT NULL,
	`prefetch` integer DEFAULT 0 NOT NULL,
	`visitors` integer DEFAULT 0 NOT NULL,
	`first_at` integer,
	`last_at` integer,
	`recent` text DEFAULT '[]' NOT NULL
);
CREATE TABLE `links` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`host` text DEFAULT '' NOT NULL,
	`code` text NOT NULL,
	`is_alias` integer DEFAULT false NOT NULL,
	`target` text NOT NULL,
	`target_host` text NOT NULL,
	`user_id` text,
	`status` text DEFAULT 'active' NOT NULL,
	`disabled_by` text,
	`disabled_reason` text,
	`expires_at` integer,
	`recheck_at` integer,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
, `external_id` text);
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
CREATE TABLE `subscriptions` (
	`user_id` text PRIMARY KEY NOT NULL,
	`plan` text DEFAULT 'free' NOT NULL,
	`monthly_limit` integer NOT NULL,
	`current_usage` integer DEFAULT 0 NOT NULL,
	`cycle_anchor` integer NOT NULL,
	`billing_cycle_start` integer NOT NULL,
	`updated_at` integer NOT NULL
, `downgrade_at` integer);
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text DEFAULT '' NOT NULL,
	`role` text DEFAULT 'user' NOT NULL,
	`created_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL
, `suspended_at` integer, `suspended_reason` text);
CREATE TABLE `visitor_keys` (
	`day` integer PRIMARY KEY NOT NULL,
	`key` text NOT NULL
);
CREATE INDEX `abuse_reports_by_link` ON `abuse_reports` (`link_id`);
CREATE INDEX `abuse_reports_by_status` ON `abuse_reports` (`status`,`created_at`);
CREATE INDEX `address_standing_by_quota_until` ON `address_standing` (`quota_until`) WHERE "address_standing"."quota_until" is not null;
CREATE INDEX `admin_log_by_subject` ON `admin_log` (`subject`);
CREATE UNIQUE INDEX `api_keys_by_previous` ON `api_keys` (`previous_hash`) WHERE "api_keys"."previous_hash" is not null;
CREATE UNIQUE INDEX `api_keys_by_secret` ON `api_keys` (`secret_hash`);
CREATE INDEX `api_keys_by_user` ON `api_keys` (`user_id`,`created_at`);
CREATE UNIQUE INDEX `auth_one_time_tokens_by_hash` ON `auth_one_time_tokens` (`token_hash`);
CREATE INDEX `auth_sessions_by_user` ON `auth_sessions` (`user_id`);
CREATE UNIQUE INDEX `auth_users_by_email` ON `auth_users` (`email`);
CREATE INDEX `blocklist_by_applied` ON `blocklist` (`applied_at`);
CREATE INDEX `counters_by_expires` ON `counters` (`expires_at`);
CREATE INDEX `dev_mails_by_to` ON `dev_mails` (`to`);
CREATE INDEX `idempotent_requests_by_expires` ON `idempotent_requests` (`expires_at`);
CREATE INDEX `link_claims_by_expires` ON `link_claims` (`expires_at`);
CREATE INDEX `link_holds_by_value` ON `link_holds` (`kind`,`value`);
CREATE INDEX `link_outbox_by_queued` ON `link_outbox` (`queued_at`);
CREATE UNIQUE INDEX `links_by_alias` ON `links` (`host`,lower("code")) WHERE "links"."is_alias" = 1;
CREATE UNIQUE INDEX `links_by_code` ON `links` (`host`,`code`);
CREATE UNIQUE INDEX `links_by_external_id` ON `links` (`user_id`,`external_id`) WHERE "links"."external_id" is not null and "links"."status" <> 'deleted';
CREATE INDEX `links_by_target_host` ON `links` (`target_host`);
CREATE INDEX `links_by_user` ON `links` (`user_id`,`id`);
CREATE INDEX `links_to_recheck` ON `links` (`recheck_at`) WHERE "links"."recheck_at" is not null;
CREATE INDEX `posts_by_author` ON `posts` (`author_id`,`created_at`);
CREATE INDEX `posts_by_published` ON `posts` (`published`,`created_at`);
CREATE UNIQUE INDEX `posts_by_slug` ON `posts` (`slug`);
CREATE INDEX `users_by_created` ON `users` (`created_at`);
CREATE INDEX `users_by_email` ON `users` (`email`);
INSERT INTO abuse_reports ("id", "link_id", "reason", "details", "status", "created_at", "closed_at", "closed_by") VALUES (1, 1, 'reason', '', 'open', 1, 1, 'closed_by');
INSERT INTO address_standing ("address_hash", "suspended_at", "suspended_reason", "demoted_at", "cycle_anchor", "billing_cycle_start", "current_usage", "quota_until") VALUES ('address_hash', 1, 'suspended_reason', 1, 1, 1, 1, 1);
INSERT INTO admin_claims ("token_hash", "expires_at") VALUES ('token_hash', 1);
INSERT INTO admin_log ("id", "at", "admin_id", "action", "subject", "before", "after", "reason") VALUES (1, 1, 'admin_id', 'action', 'subject', 'null', 'null', '');
INSERT INTO api_keys ("id", "user_id", "name", "scopes", "code_prefix", "prefix", "secret_hash", "previous_hash", "previous_until", "created_at", "expires_at", "last_used_at") VALUES ('id', 'user_id', 'name', 'scopes', '', 'prefix', 'secret_hash', 'previous_hash', 1, 1, 1, 1);
INSERT INTO auth_codes ("code_hash", "user_id", "kind", "code_challenge", "code_challenge_method", "expires_at") VALUES ('code_hash', 'user_id', 'kind', 'code_challenge', 'code_challenge_method', 1);
INSERT INTO auth_keys ("kid", "public_jwk", "private_jwk", "status", "created_at", "retired_at") VALUES ('kid', 'public_jwk', 'private_jwk', 'status', 1, 1);
INSERT INTO auth_one_time_tokens ("user_id", "kind", "token_hash", "code_hash", "code_attempts", "code_challenge", "code_challenge_method", "expires_at") VALUES ('user_id', 'kind', 'token_hash', 'code_hash', 0, 'code_challenge', 'code_challenge_method', 1);
INSERT INTO auth_sessions ("id", "user_id", "counter", "refreshed_at", "amr", "created_at", "not_after") VALUES ('id', 'user_id', 0, 1, 'amr', 1, 1);
INSERT INTO auth_users ("id", "email", "password_hash", "email_confirmed_at", "app_metadata", "user_metadata", "created_at", "updated_at", "last_sign_in_at", "confirmation_sent_at", "recovery_sent_at", "banned_until", "proven_at", "sign_up_secret_hash") VALUES ('id', 'email', 'password_hash', 1, '{}', '{}', 1, 1, 1, 1, 1, 1, 1, 'sign_up_secret_hash');
INSERT INTO blocklist ("kind", "value", "reason", "added_by", "created_at", "applied_at") VALUES ('kind', 'value', '', 'added_by', 1, 0);
INSERT INTO click_counts ("link_id", "grain", "at", "human", "bot", "prefetch", "visitors", "active_days") VALUES (1, 'grain', 1, 0, 0, 0, 0, 0);
INSERT INTO click_dims ("link_id", "grain", "at", "dim", "val", "n") VALUES (1, 'grain', 1, 'dim', 'val', 1);
INSERT INTO click_faults ("id", "at", "reason", "body") VALUES (1, 1, 'reason', 'body');
INSERT INTO click_visitors ("day", "link_id", "visitor", "attempt") VALUES (1, 1, 'visitor', 'attempt');
INSERT INTO click_windows ("id", "attempt", "received_at") VALUES ('id', 'attempt', 1);
INSERT INTO counters ("key", "count", "expires_at") VALUES ('key', 1, 1);
INSERT INTO d1_migrations (name) VALUES ('0000_init.sql');
INSERT INTO d1_migrations (name) VALUES ('0001_link_holds.sql');
INSERT INTO d1_migrations (name) VALUES ('0002_window_keys.sql');
INSERT INTO d1_migrations (name) VALUES ('0003_signing_key_retirement.sql');
INSERT INTO d1_migrations (name) VALUES ('0004_account_takeover.sql');
INSERT INTO d1_migrations (name) VALUES ('0005_drafts_by_author.sql');
INSERT INTO d1_migrations (name) VALUES ('0006_downgrade_at_cycle_end.sql');
INSERT INTO d1_migrations (name) VALUES ('0007_link_claims.sql');
INSERT INTO d1_migrations (name) VALUES ('0008_admin_claims.sql');
INSERT INTO d1_migrations (name) VALUES ('0009_api_keys.sql');
INSERT INTO deleted_users ("id_hash", "deleted_at") VALUES ('id_hash', 1);
INSERT INTO dev_mails ("id", "to", "subject", "text", "html", "link", "sent_at") VALUES (1, 'to', 'subject', 'text', 'html', 'link', 1);
INSERT INTO idempotent_requests ("user_id", "key", "request_hash", "attempt", "leased_until", "made", "answer", "expires_at") VALUES ('user_id', 'key', 'request_hash', 'attempt', 1, '{}', 'answer', 1);
INSERT INTO job_runs ("name", "started_at", "finished_at", "ok", "detail") VALUES ('name', 1, 1, true, '');
INSERT INTO link_claims ("link_id", "token_hash", "expires_at") VALUES (1, 'token_hash', 1);
INSERT INTO link_holds ("link_id", "kind", "value", "reason", "created_at") VALUES (1, 'kind', '', '', 1);
INSERT INTO link_outbox ("link_id", "version", "queued_at", "attempts") VALUES (1, 1, 1, 0);
INSERT INTO link_totals ("link_id", "human", "bot", "prefetch", "visitors", "first_at", "last_at", "recent") VALUES (1, 0, 0, 0, 0, 1, 1, '[]');
INSERT INTO links ("id", "host", "code", "is_alias", "target", "target_host", "user_id", "status", "disabled_by", "disabled_reason", "expires_at", "recheck_at", "version", "created_at", "updated_at", "external_id") VALUES (1, '', 'code', false, 'target', 'target_host', 'user_id', 'active', 'disabled_by', 'disabled_reason', 1, 1, 1, 1, 1, 'external_id');
INSERT INTO posts ("id", "slug", "title", "content", "published", "author_id", "created_at", "updated_at", "published_at") VALUES (1, 'slug', 'title', 'content', false, 'author_id', 1, 1, 1);
INSERT INTO subscriptions ("user_id", "plan", "monthly_limit", "current_usage", "cycle_anchor", "billing_cycle_start", "updated_at", "downgrade_at") VALUES ('user_id', 'free', 1, 0, 1, 1, 1, 1);
INSERT INTO users ("id", "email", "role", "created_at", "last_seen_at", "suspended_at", "suspended_reason") VALUES ('id', '', 'user', 1, 1, 1, 'suspended_reason');
INSERT INTO visitor_keys ("day", "key") VALUES (1, 'key');

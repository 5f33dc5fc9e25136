CREATE TABLE `host_outbox` (
	`host` text PRIMARY KEY NOT NULL,
	`queued_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `host_outbox_by_queued` ON `host_outbox` (`queued_at`);--> statement-breakpoint
CREATE TRIGGER `domain_hosts_added` AFTER INSERT ON `domain_hosts`
BEGIN
	INSERT INTO `host_outbox` (host, queued_at) VALUES (new.host, CAST(unixepoch('subsec') * 1000 AS INTEGER))
	ON CONFLICT (host) DO UPDATE SET queued_at = excluded.queued_at;
END;--> statement-breakpoint
CREATE TRIGGER `domain_hosts_changed` AFTER UPDATE OF domain_id, proven_at ON `domain_hosts`
WHEN new.domain_id <> old.domain_id OR new.proven_at IS NOT old.proven_at
BEGIN
	INSERT INTO `host_outbox` (host, queued_at) VALUES (new.host, CAST(unixepoch('subsec') * 1000 AS INTEGER))
	ON CONFLICT (host) DO UPDATE SET queued_at = excluded.queued_at;
END;--> statement-breakpoint
CREATE TRIGGER `domain_hosts_removed` AFTER DELETE ON `domain_hosts`
BEGIN
	INSERT INTO `host_outbox` (host, queued_at) VALUES (old.host, CAST(unixepoch('subsec') * 1000 AS INTEGER))
	ON CONFLICT (host) DO UPDATE SET queued_at = excluded.queued_at;
END;--> statement-breakpoint
CREATE TRIGGER `domains_changed` AFTER UPDATE OF owner_id, status, root_url, not_found_url, version ON `domains`
BEGIN
	INSERT INTO `host_outbox` (host, queued_at)
	SELECT host, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM `domain_hosts` WHERE domain_id = new.id
	ON CONFLICT (host) DO UPDATE SET queued_at = excluded.queued_at;
END;--> statement-breakpoint
CREATE TRIGGER `users_suspended_domains` AFTER UPDATE OF suspended_at ON `users`
WHEN new.suspended_at IS NOT old.suspended_at
BEGIN
	UPDATE `domains` SET version = version + 1 WHERE owner_id = new.id;
END;

ALTER TABLE `link_changes` ADD `variants` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `links` ADD `variants` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE TRIGGER `links_cleared_variants` AFTER UPDATE OF target ON `links`
WHEN new.target = '' AND old.target <> '' AND new.variants <> ''
BEGIN
	UPDATE `links` SET variants = '' WHERE id = new.id;
END;

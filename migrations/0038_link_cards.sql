CREATE TABLE `link_cards` (
	`link_id` integer PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`description` text NOT NULL,
	`image` text DEFAULT '' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `link_cards_by_image` ON `link_cards` (`image`);--> statement-breakpoint
ALTER TABLE `link_changes` ADD `card_at` integer;--> statement-breakpoint
ALTER TABLE `links` ADD `card_at` integer;--> statement-breakpoint
CREATE INDEX `links_with_card` ON `links` (`user_id`) WHERE card_at is not null and status <> 'deleted';--> statement-breakpoint
CREATE TRIGGER `links_card_cleared` AFTER UPDATE OF target, user_id ON `links`
WHEN new.target = '' AND old.target <> '' OR new.user_id IS NOT old.user_id
BEGIN
	DELETE FROM `link_cards` WHERE link_id = new.id;
	UPDATE `links` SET card_at = NULL WHERE id = new.id AND card_at IS NOT NULL;
END;

ALTER TABLE `posts` ADD `excerpt` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `author` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `posts` ADD `tags` text DEFAULT '[]' NOT NULL;
ALTER TABLE `links` ADD `suggest_on_typo` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `links_by_similar_code` ON `links` (replace(replace(replace(replace(replace(replace(replace(lower(code), '0', 'o'), '1', 'l'), 'i', 'l'), '2', 'z'), '5', 's'), '8', 'b'), '_', '-')) WHERE released_at is null;

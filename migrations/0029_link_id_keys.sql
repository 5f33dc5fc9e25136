CREATE TABLE `link_id_keys` (
	`key` text PRIMARY KEY NOT NULL,
	`numbered_through` integer NOT NULL
);
--> statement-breakpoint
-- The release before gives numbers to clients until it is replaced, so some more links keep theirs.
INSERT INTO `link_id_keys` (`key`, `numbered_through`) SELECT lower(hex(randomblob(16))), coalesce(max(id) + 1000, 0) FROM `links`;

CREATE TABLE `app_link_files` (
	`host` text NOT NULL,
	`file` text NOT NULL,
	`content` text NOT NULL,
	`changed_at` integer NOT NULL,
	PRIMARY KEY(`host`, `file`)
);

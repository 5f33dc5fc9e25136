-- A draft's slug is kept as '<author id>/<slug>', so that it is taken for its author only; a published post keeps its slug.
-- A slug holds no '/', so that a row is changed once, however often this runs.
UPDATE `posts` SET `slug` = coalesce(`author_id`, '') || '/' || `slug` WHERE `published` = 0 AND instr(`slug`, '/') = 0;

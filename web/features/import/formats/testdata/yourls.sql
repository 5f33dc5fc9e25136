-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
DROP TABLE IF EXISTS `yourls_options`;
INSERT INTO `yourls_options` VALUES (1,'version','1.9.2'),(2,'site','https://y.example');
DROP TABLE IF EXISTS `yourls_url`;
CREATE TABLE `yourls_url` (
  `keyword` varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `url` text CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `title` text COLLATE utf8mb4_unicode_ci DEFAULT NULL,
  `timestamp` timestamp NOT NULL DEFAULT current_timestamp(),
  `ip` varchar(41) COLLATE utf8mb4_unicode_ci NOT NULL,
  `clicks` int(10) unsigned NOT NULL,
  PRIMARY KEY (`keyword`)
);
INSERT INTO `yourls_url` VALUES ('ozh','https://ozh.example/?a=(1),2;','Ozh\'s \"planet\"; it''s here','2011-10-05 13:09:42','203.0.113.9',1543),('two','https://shop.example/two',NULL,'2012-01-01 00:00:00','203.0.113.9',0);
INSERT INTO `yourls_url` (`keyword`, `url`, `title`, `timestamp`, `ip`, `clicks`) VALUES
('a-code-of-more-than-twenty-characters', 'https://shop.example/long', 'Long', '2013-01-01 00:00:00', '203.0.113.9', 3);

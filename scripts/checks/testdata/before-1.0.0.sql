-- What of a database from before version 1.0.0 tells it: its migrations, and a link.
CREATE TABLE d1_migrations (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE, applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);
INSERT INTO d1_migrations (name) VALUES
  ('0000_init.sql'),
  ('0001_link_holds.sql'),
  ('0002_window_keys.sql'),
  ('0003_signing_key_retirement.sql'),
  ('0004_account_takeover.sql'),
  ('0005_drafts_by_author.sql'),
  ('0006_downgrade_at_cycle_end.sql'),
  ('0007_link_claims.sql'),
  ('0008_admin_claims.sql'),
  ('0009_api_keys.sql'),
  ('0010_link_days.sql'),
  ('0011_organise.sql'),
  ('0012_system.sql'),
  ('0013_webhooks.sql'),
  ('0014_earlier_codes.sql'),
  ('0015_import.sql'),
  ('0016_campaigns.sql'),
  ('0017_qr_presets.sql'),
  ('0018_account_days.sql'),
  ('0019_shards.sql'),
  ('0020_thin_traffic.sql'),
  ('0021_visitor_sets.sql'),
  ('0022_report_read.sql'),
  ('0023_report_targets.sql'),
  ('0024_session_device.sql'),
  ('0025_write_limits.sql'),
  ('0026_delivery_lines.sql');
CREATE TABLE links (id INTEGER PRIMARY KEY AUTOINCREMENT, code TEXT NOT NULL, target TEXT NOT NULL);
INSERT INTO links (code, target) VALUES ('kept', 'https://example.com/');

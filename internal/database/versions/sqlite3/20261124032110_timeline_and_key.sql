-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_installations" table
CREATE TABLE `new_installations` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `version` integer NOT NULL DEFAULT (0), `timeline` integer NOT NULL DEFAULT (0), `cluster` text NOT NULL DEFAULT (''), `key_fingerprint` text NOT NULL DEFAULT (''));
-- Copy rows from old table "installations" to new temporary table "new_installations"
INSERT INTO `new_installations` (`id`, `version`) SELECT `id`, `version` FROM `installations`;
-- Drop "installations" table after copying rows
DROP TABLE `installations`;
-- Rename temporary table "new_installations" to "installations"
ALTER TABLE `new_installations` RENAME TO `installations`;
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;

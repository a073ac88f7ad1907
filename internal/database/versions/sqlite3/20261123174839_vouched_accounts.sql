-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create "new_users" table
CREATE TABLE `new_users` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `cell_number` text NOT NULL, `cell_verified` bool NOT NULL DEFAULT (false), `password_hash` text NULL, `first_name` text NULL, `last_name` text NULL, `email` text NULL, `vouched` bool NOT NULL DEFAULT (false), `registered_from` text NULL, `contested_by` text NULL, `closed_at` datetime NULL, PRIMARY KEY (`id`));
-- Copy rows from old table "users" to new temporary table "new_users". Accounts whose cell was verified so far are vouched for:
-- the first proof has ended the password of those that looked like somebody else's.
INSERT INTO `new_users` (`id`, `created_at`, `updated_at`, `cell_number`, `cell_verified`, `password_hash`, `first_name`, `last_name`, `email`, `vouched`, `registered_from`, `closed_at`) SELECT `id`, `created_at`, `updated_at`, `cell_number`, `cell_verified`, `password_hash`, `first_name`, `last_name`, `email`, `cell_verified`, `registered_from`, `closed_at` FROM `users`;
-- Drop "users" table after copying rows
DROP TABLE `users`;
-- Rename temporary table "new_users" to "users"
ALTER TABLE `new_users` RENAME TO `users`;
-- Create index "users_cell_number_key" to table: "users"
CREATE UNIQUE INDEX `users_cell_number_key` ON `users` (`cell_number`);
-- Create index "user_closed_at" to table: "users"
CREATE INDEX `user_closed_at` ON `users` (`closed_at`);
-- Create index "user_unproven" to table: "users"
CREATE INDEX `user_unproven` ON `users` (`created_at`) WHERE NOT cell_verified;
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;

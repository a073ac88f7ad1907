-- Disable the enforcement of foreign-keys constraints
PRAGMA foreign_keys = off;
-- Create index "membership_pending_until" to table: "memberships"
CREATE INDEX `membership_pending_until` ON `memberships` (`pending_until`);
-- Create index "onetimecode_expires_at" to table: "one_time_codes"
CREATE INDEX `onetimecode_expires_at` ON `one_time_codes` (`expires_at`);
-- Create index "refreshtoken_expires_at" to table: "refresh_tokens"
CREATE INDEX `refreshtoken_expires_at` ON `refresh_tokens` (`expires_at`);
-- Create index "refreshtoken_used_until" to table: "refresh_tokens"
CREATE INDEX `refreshtoken_used_until` ON `refresh_tokens` (`used_until`);
-- Create "new_sessions" table
CREATE TABLE `new_sessions` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `expires_at` datetime NOT NULL, `ended_at` datetime NULL, `mark` blob NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Copy rows from old table "sessions" to new temporary table "new_sessions"
INSERT INTO `new_sessions` (`id`, `created_at`, `updated_at`, `expires_at`, `ended_at`, `user_id`) SELECT `id`, `created_at`, `updated_at`, `expires_at`, `ended_at`, `user_id` FROM `sessions`;
-- Drop "sessions" table after copying rows
DROP TABLE `sessions`;
-- Rename temporary table "new_sessions" to "sessions"
ALTER TABLE `new_sessions` RENAME TO `sessions`;
-- Create index "sessions_mark_key" to table: "sessions"
CREATE UNIQUE INDEX `sessions_mark_key` ON `sessions` (`mark`);
-- Create index "session_user_id" to table: "sessions"
CREATE INDEX `session_user_id` ON `sessions` (`user_id`);
-- Create index "session_expires_at" to table: "sessions"
CREATE INDEX `session_expires_at` ON `sessions` (`expires_at`);
-- Create index "session_ended_at" to table: "sessions"
CREATE INDEX `session_ended_at` ON `sessions` (`ended_at`);
-- Enable back the enforcement of foreign-keys constraints
PRAGMA foreign_keys = on;

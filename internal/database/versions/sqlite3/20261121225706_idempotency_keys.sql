-- Create "idempotency_keys" table
CREATE TABLE `idempotency_keys` (`id` text NOT NULL, `fingerprint` blob NOT NULL, `answer` text NULL, `size` integer NOT NULL DEFAULT (0), `expires_at` datetime NOT NULL, `user_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `idempotency_keys_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE);
-- Create index "idempotencykey_user_id_size" to table: "idempotency_keys"
CREATE INDEX `idempotencykey_user_id_size` ON `idempotency_keys` (`user_id`, `size`);
-- Create index "idempotencykey_expires_at" to table: "idempotency_keys"
CREATE INDEX `idempotencykey_expires_at` ON `idempotency_keys` (`expires_at`);

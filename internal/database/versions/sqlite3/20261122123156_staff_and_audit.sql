-- Create "audit_entries" table
CREATE TABLE `audit_entries` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `user_id` uuid NULL, `role` text NULL, `action` text NOT NULL, `kind` text NOT NULL, `record_id` uuid NULL, `before` json NULL, `after` json NULL, `business_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `audit_entries_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "auditentry_business_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_created_at_id` ON `audit_entries` (`business_id`, `created_at`, `id`);
-- Create index "auditentry_business_id_record_id_created_at_id" to table: "audit_entries"
CREATE INDEX `auditentry_business_id_record_id_created_at_id` ON `audit_entries` (`business_id`, `record_id`, `created_at`, `id`);
-- Create "staff_members" table
CREATE TABLE `staff_members` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `role` text NOT NULL, `user_id` uuid NOT NULL, `business_id` uuid NULL, PRIMARY KEY (`id`), CONSTRAINT `staff_members_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE, CONSTRAINT `staff_members_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "staffmember_user_id_business_id" to table: "staff_members"
CREATE UNIQUE INDEX `staffmember_user_id_business_id` ON `staff_members` (`user_id`, `business_id`);
-- Create index "staffmember_operator" to table: "staff_members"
CREATE UNIQUE INDEX `staffmember_operator` ON `staff_members` (`user_id`) WHERE business_id IS NULL;
-- Create index "staffmember_business_id" to table: "staff_members"
CREATE INDEX `staffmember_business_id` ON `staff_members` (`business_id`);

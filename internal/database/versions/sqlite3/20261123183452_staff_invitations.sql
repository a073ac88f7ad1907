-- Create "staff_invitations" table
CREATE TABLE `staff_invitations` (`id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `cell_number` text NOT NULL, `role` text NOT NULL, `expires_at` datetime NOT NULL, `business_id` uuid NOT NULL, PRIMARY KEY (`id`), CONSTRAINT `staff_invitations_tenants_business` FOREIGN KEY (`business_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "staffinvitation_business_id_cell_number" to table: "staff_invitations"
CREATE UNIQUE INDEX `staffinvitation_business_id_cell_number` ON `staff_invitations` (`business_id`, `cell_number`);
-- Create index "staffinvitation_cell_number" to table: "staff_invitations"
CREATE INDEX `staffinvitation_cell_number` ON `staff_invitations` (`cell_number`);
-- Create index "staffinvitation_expires_at" to table: "staff_invitations"
CREATE INDEX `staffinvitation_expires_at` ON `staff_invitations` (`expires_at`);

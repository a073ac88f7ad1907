-- Add column "sms" to table: "staff_invitations"
ALTER TABLE `staff_invitations` ADD COLUMN `sms` text NULL;
-- Add column "sms_at" to table: "staff_invitations"
ALTER TABLE `staff_invitations` ADD COLUMN `sms_at` datetime NULL;
-- Add column "rejection_reason" to table: "user_products"
ALTER TABLE `user_products` ADD COLUMN `rejection_reason` text NULL;
-- Add column "rejection_reason" to table: "comments"
ALTER TABLE `comments` ADD COLUMN `rejection_reason` text NULL;
-- Add column "reply" to table: "comments"
ALTER TABLE `comments` ADD COLUMN `reply` text NULL;
-- Add column "replied_at" to table: "comments"
ALTER TABLE `comments` ADD COLUMN `replied_at` datetime NULL;
-- Add column "user_id" to table: "comments"
ALTER TABLE `comments` ADD COLUMN `user_id` uuid NULL CONSTRAINT `comments_users_user` REFERENCES `users` (`id`) ON DELETE SET NULL;
-- Create index "comment_user_id" to table: "comments"
CREATE INDEX `comment_user_id` ON `comments` (`user_id`) WHERE user_id IS NOT NULL;
-- Add column "rejection_reason" to table: "expert_reviews"
ALTER TABLE `expert_reviews` ADD COLUMN `rejection_reason` text NULL;
-- Add column "reply" to table: "expert_reviews"
ALTER TABLE `expert_reviews` ADD COLUMN `reply` text NULL;
-- Add column "replied_at" to table: "expert_reviews"
ALTER TABLE `expert_reviews` ADD COLUMN `replied_at` datetime NULL;
-- Add column "user_id" to table: "expert_reviews"
ALTER TABLE `expert_reviews` ADD COLUMN `user_id` uuid NULL CONSTRAINT `expert_reviews_users_user` REFERENCES `users` (`id`) ON DELETE SET NULL;
-- Create index "expertreview_user_id" to table: "expert_reviews"
CREATE INDEX `expertreview_user_id` ON `expert_reviews` (`user_id`) WHERE user_id IS NOT NULL;
-- Add column "note" to table: "contact_submissions"
ALTER TABLE `contact_submissions` ADD COLUMN `note` text NULL;
-- Add column "noted_at" to table: "contact_submissions"
ALTER TABLE `contact_submissions` ADD COLUMN `noted_at` datetime NULL;
-- Add column "reply" to table: "contact_submissions"
ALTER TABLE `contact_submissions` ADD COLUMN `reply` text NULL;
-- Add column "replied_at" to table: "contact_submissions"
ALTER TABLE `contact_submissions` ADD COLUMN `replied_at` datetime NULL;
-- Add column "reply_state" to table: "contact_submissions"
ALTER TABLE `contact_submissions` ADD COLUMN `reply_state` text NULL;
-- Add column "replied_by" to table: "contact_submissions"
ALTER TABLE `contact_submissions` ADD COLUMN `replied_by` uuid NULL CONSTRAINT `contact_submissions_users_replier` REFERENCES `users` (`id`) ON DELETE SET NULL;
-- Create index "contactsubmission_replied_by" to table: "contact_submissions"
CREATE INDEX `contactsubmission_replied_by` ON `contact_submissions` (`replied_by`) WHERE replied_by IS NOT NULL;

-- Modify "contact_submissions" table
ALTER TABLE "contact_submissions" VALIDATE CONSTRAINT "contact_submissions_users_replier";

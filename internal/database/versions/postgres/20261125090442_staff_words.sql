-- Modify "comments" table
ALTER TABLE "comments" VALIDATE CONSTRAINT "comments_users_user";

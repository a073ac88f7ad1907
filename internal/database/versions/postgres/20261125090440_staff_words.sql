-- Modify "comments" table
ALTER TABLE "comments" ADD COLUMN "rejection_reason" text NULL, ADD COLUMN "reply" text NULL, ADD COLUMN "replied_at" timestamptz NULL, ADD COLUMN "user_id" uuid NULL, ADD CONSTRAINT "comments_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE SET NULL NOT VALID;

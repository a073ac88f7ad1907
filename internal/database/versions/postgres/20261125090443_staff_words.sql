-- Modify "expert_reviews" table
ALTER TABLE "expert_reviews" ADD COLUMN "rejection_reason" text NULL, ADD COLUMN "reply" text NULL, ADD COLUMN "replied_at" timestamptz NULL, ADD COLUMN "user_id" uuid NULL, ADD CONSTRAINT "expert_reviews_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE SET NULL NOT VALID;

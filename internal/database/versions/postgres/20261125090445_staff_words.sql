-- Modify "expert_reviews" table
ALTER TABLE "expert_reviews" VALIDATE CONSTRAINT "expert_reviews_users_user";

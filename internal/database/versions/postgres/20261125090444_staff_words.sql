-- Create index "expertreview_user_id" to table: "expert_reviews"
CREATE INDEX CONCURRENTLY "expertreview_user_id" ON "expert_reviews" ("user_id") WHERE (user_id IS NOT NULL);

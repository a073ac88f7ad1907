-- Create index "comment_user_id" to table: "comments"
CREATE INDEX CONCURRENTLY "comment_user_id" ON "comments" ("user_id") WHERE (user_id IS NOT NULL);

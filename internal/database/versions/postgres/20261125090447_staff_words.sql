-- Create index "contactsubmission_replied_by" to table: "contact_submissions"
CREATE INDEX CONCURRENTLY "contactsubmission_replied_by" ON "contact_submissions" ("replied_by") WHERE (replied_by IS NOT NULL);

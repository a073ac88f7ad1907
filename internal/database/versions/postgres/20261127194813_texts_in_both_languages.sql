-- Modify "blogs" table
ALTER TABLE "blogs" ADD COLUMN "summary_fa" text NULL, ADD COLUMN "body_fa" text NULL;

-- Modify "users" table
ALTER TABLE "users" ADD COLUMN "search_text" text NOT NULL DEFAULT '';

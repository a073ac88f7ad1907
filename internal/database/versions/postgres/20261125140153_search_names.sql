-- Modify "audit_entries" table
ALTER TABLE "audit_entries" ADD COLUMN "search_text" text NOT NULL DEFAULT '';

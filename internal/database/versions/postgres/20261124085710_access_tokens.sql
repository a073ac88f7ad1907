-- Modify "audit_entries" table
ALTER TABLE "audit_entries" ADD COLUMN "token_id" uuid NULL;

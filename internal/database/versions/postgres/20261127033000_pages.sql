-- Modify "tenants" table
ALTER TABLE "tenants" ADD COLUMN "pages" jsonb NULL;

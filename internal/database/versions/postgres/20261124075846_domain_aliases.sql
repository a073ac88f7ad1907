-- Modify "tenants" table
ALTER TABLE "tenants" ADD COLUMN "paused_at" timestamptz NULL;

-- Modify "tenants" table
ALTER TABLE "tenants" ADD COLUMN "time_zone" character varying NULL;

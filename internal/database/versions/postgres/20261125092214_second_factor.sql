-- Modify "tenants" table
ALTER TABLE "tenants" ADD COLUMN "second_factor_since" timestamptz NULL;

-- Modify "webhook_endpoints" table
ALTER TABLE "webhook_endpoints" ADD COLUMN "live_from" bigint NULL, ADD COLUMN "live_until" timestamptz NULL;

-- Modify "webhook_endpoints" table
ALTER TABLE "webhook_endpoints" DROP COLUMN "live_from", DROP COLUMN "live_until", ADD COLUMN "number" bigint NOT NULL DEFAULT 0;

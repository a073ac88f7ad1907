-- Modify "webhook_deliveries" table
ALTER TABLE "webhook_deliveries" ADD COLUMN "sequence" bigint NULL;

-- Modify "webhook_deliveries" table
ALTER TABLE "webhook_deliveries" DROP COLUMN "sequence";

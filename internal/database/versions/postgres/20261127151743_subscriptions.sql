-- Create index "webhookdelivery_sequence" to table: "webhook_deliveries"
CREATE INDEX CONCURRENTLY "webhookdelivery_sequence" ON "webhook_deliveries" ("sequence") WHERE (sequence IS NOT NULL);

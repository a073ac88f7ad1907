-- Modify "variants" table
ALTER TABLE "variants" ADD COLUMN "low_stock_at" bigint NULL;

-- Modify "orders" table
ALTER TABLE "orders" ADD COLUMN "discount" bigint NOT NULL DEFAULT 0;

-- Modify "cart_items" table
ALTER TABLE "cart_items" ADD COLUMN "seen_currency" character varying NULL;

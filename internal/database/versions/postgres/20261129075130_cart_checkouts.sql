-- Modify "carts" table
ALTER TABLE "carts" ADD COLUMN "checked_out_at" timestamptz NULL, ADD COLUMN "repriced_at" timestamptz NULL;

-- Modify "user_products" table
ALTER TABLE "user_products" ADD COLUMN "description_fa" text NULL;

-- Modify "user_products" table
ALTER TABLE "user_products" ADD COLUMN "rejection_reason" text NULL;

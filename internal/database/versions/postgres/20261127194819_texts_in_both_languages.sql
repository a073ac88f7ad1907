-- Modify "products" table
ALTER TABLE "products" ADD COLUMN "summary_fa" text NULL, ADD COLUMN "description_fa" text NULL;

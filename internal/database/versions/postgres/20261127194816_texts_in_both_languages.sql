-- Modify "categories" table
ALTER TABLE "categories" ADD COLUMN "description_fa" text NULL;

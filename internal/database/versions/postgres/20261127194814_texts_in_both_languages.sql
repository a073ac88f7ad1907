-- Modify "brand_groups" table
ALTER TABLE "brand_groups" ADD COLUMN "title_fa" character varying NULL;

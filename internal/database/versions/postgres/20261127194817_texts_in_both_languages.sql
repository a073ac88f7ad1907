-- Modify "category_groups" table
ALTER TABLE "category_groups" ADD COLUMN "title_fa" character varying NULL;

-- Modify "store_specials" table
ALTER TABLE "store_specials" ADD COLUMN "title_fa" character varying NULL;

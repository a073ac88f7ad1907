-- Modify "sliders" table
ALTER TABLE "sliders" ADD COLUMN "title_fa" character varying NULL;

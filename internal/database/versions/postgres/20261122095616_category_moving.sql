-- Modify "categories" table
ALTER TABLE "categories" ADD COLUMN "moving" boolean NOT NULL DEFAULT false;

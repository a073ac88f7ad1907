-- Modify "categories" table
ALTER TABLE "categories" ADD COLUMN "moves" bigint NOT NULL DEFAULT 0;
-- Create index "category_moving" to table: "categories"
CREATE INDEX "category_moving" ON "categories" ("moving") WHERE moving;
-- Earlier versions could leave a move half-way: the records of all categories below others are listed once more
UPDATE "categories" SET "moving" = true, "moves" = 1 WHERE "parent_id" IS NOT NULL;

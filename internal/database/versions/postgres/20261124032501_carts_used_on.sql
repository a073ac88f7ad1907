-- The day on which a cart was written last, by which old ones are found: of its time each write changed the index.
DROP INDEX "cart_updated_at";
ALTER TABLE "carts" SET (fillfactor = 80);
ALTER TABLE "carts" ADD COLUMN "used_on" date NULL GENERATED ALWAYS AS ((updated_at AT TIME ZONE 'UTC'::text)::date) STORED;
CREATE INDEX "cart_used_on" ON "carts" ("used_on");

-- Modify "carts" table
ALTER TABLE "carts" ADD CONSTRAINT "cart_of_one" CHECK (((user_id IS NULL) <> (token_hash IS NULL)) AND ((token_hash IS NULL) = (ends_at IS NULL))), ALTER COLUMN "user_id" DROP NOT NULL, ADD COLUMN "token_hash" bytea NULL, ADD COLUMN "ends_at" timestamptz NULL;
-- Create index "cart_ends_at" to table: "carts"
CREATE INDEX "cart_ends_at" ON "carts" ("ends_at");
-- Create index "carts_token_hash_key" to table: "carts"
CREATE UNIQUE INDEX "carts_token_hash_key" ON "carts" ("token_hash");

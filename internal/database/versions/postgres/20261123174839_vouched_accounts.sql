-- Modify "users" table. Accounts whose cell was verified so far are vouched for: the first proof has ended the password of those
-- that looked like somebody else's. The default of the others comes after, so that few rows are written.
ALTER TABLE "users" ADD COLUMN "vouched" boolean NOT NULL DEFAULT true, ADD COLUMN "contested_by" character varying NULL;
ALTER TABLE "users" ALTER COLUMN "vouched" SET DEFAULT false;
UPDATE "users" SET "vouched" = false WHERE NOT "cell_verified";
-- Create index "user_unproven" to table: "users"
CREATE INDEX "user_unproven" ON "users" ("created_at") WHERE (NOT cell_verified);

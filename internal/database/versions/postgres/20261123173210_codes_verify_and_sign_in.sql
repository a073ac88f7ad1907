-- Modify "one_time_codes" table
ALTER TABLE "one_time_codes" ADD COLUMN "verified_at" timestamptz NULL;

-- Modify "one_time_codes" table
ALTER TABLE "one_time_codes" ADD COLUMN "ticket_mac" bytea NULL, ADD COLUMN "ticket_until" timestamptz NULL;

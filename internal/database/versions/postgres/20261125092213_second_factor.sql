-- Modify "sessions" table
ALTER TABLE "sessions" ADD COLUMN "client" character varying NULL, ADD COLUMN "network" character varying NULL, ADD COLUMN "proven_at" timestamptz NULL;

-- Modify "installations" table
ALTER TABLE "installations" ADD COLUMN "timeline" bigint NOT NULL DEFAULT 0, ADD COLUMN "cluster" character varying NOT NULL DEFAULT '', ADD COLUMN "key_fingerprint" character varying NOT NULL DEFAULT '';

-- Modify "idempotency_keys" table
ALTER TABLE "idempotency_keys" ALTER COLUMN "user_id" DROP NOT NULL, ADD COLUMN "token_id" uuid NULL;

-- Create "access_tokens" table
CREATE TABLE "access_tokens" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "name" character varying NOT NULL, "hash" bytea NOT NULL, "last_characters" character varying NOT NULL, "permissions" jsonb NOT NULL, "last_used_at" timestamptz NULL, "expires_at" timestamptz NULL, "revoked_at" timestamptz NULL, "business_id" uuid NOT NULL, "created_by" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "access_tokens_tenants_business" FOREIGN KEY ("business_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "access_tokens_users_creator" FOREIGN KEY ("created_by") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE SET NULL);
-- Create index "access_tokens_hash_key" to table: "access_tokens"
CREATE UNIQUE INDEX "access_tokens_hash_key" ON "access_tokens" ("hash");
-- Create index "accesstoken_business_id" to table: "access_tokens"
CREATE INDEX "accesstoken_business_id" ON "access_tokens" ("business_id");
-- Create index "accesstoken_created_by" to table: "access_tokens"
CREATE INDEX "accesstoken_created_by" ON "access_tokens" ("created_by");
-- Create index "accesstoken_expires_at" to table: "access_tokens"
CREATE INDEX "accesstoken_expires_at" ON "access_tokens" ("expires_at");
-- Create index "accesstoken_revoked_at" to table: "access_tokens"
CREATE INDEX "accesstoken_revoked_at" ON "access_tokens" ("revoked_at");

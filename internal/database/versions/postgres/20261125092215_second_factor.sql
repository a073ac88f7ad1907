-- Create "authenticators" table
CREATE TABLE "authenticators" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "secret" bytea NOT NULL, "confirmed_at" timestamptz NULL, "last_step" bigint NOT NULL DEFAULT 0, "user_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "authenticators_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "authenticator_unconfirmed" to table: "authenticators"
CREATE INDEX "authenticator_unconfirmed" ON "authenticators" ("created_at") WHERE (confirmed_at IS NULL);
-- Create index "authenticator_user_id" to table: "authenticators"
CREATE UNIQUE INDEX "authenticator_user_id" ON "authenticators" ("user_id");
-- Create "recovery_codes" table
CREATE TABLE "recovery_codes" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "hash" bytea NOT NULL, "user_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "recovery_codes_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "recoverycode_user_id_hash" to table: "recovery_codes"
CREATE UNIQUE INDEX "recoverycode_user_id_hash" ON "recovery_codes" ("user_id", "hash");

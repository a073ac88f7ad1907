-- Create index "membership_pending_until" to table: "memberships"
CREATE INDEX "membership_pending_until" ON "memberships" ("pending_until");
-- Create index "onetimecode_expires_at" to table: "one_time_codes"
CREATE INDEX "onetimecode_expires_at" ON "one_time_codes" ("expires_at");
-- Create index "refreshtoken_expires_at" to table: "refresh_tokens"
CREATE INDEX "refreshtoken_expires_at" ON "refresh_tokens" ("expires_at");
-- Create index "refreshtoken_used_until" to table: "refresh_tokens"
CREATE INDEX "refreshtoken_used_until" ON "refresh_tokens" ("used_until");
-- Modify "sessions" table
ALTER TABLE "sessions" ADD COLUMN "mark" bytea NULL;
-- Create index "session_ended_at" to table: "sessions"
CREATE INDEX "session_ended_at" ON "sessions" ("ended_at");
-- Create index "sessions_mark_key" to table: "sessions"
CREATE UNIQUE INDEX "sessions_mark_key" ON "sessions" ("mark");

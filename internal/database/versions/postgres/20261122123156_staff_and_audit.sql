-- Create "audit_entries" table
CREATE TABLE "audit_entries" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "user_id" uuid NULL, "role" character varying NULL, "action" character varying NOT NULL, "kind" character varying NOT NULL, "record_id" uuid NULL, "before" jsonb NULL, "after" jsonb NULL, "business_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "audit_entries_tenants_business" FOREIGN KEY ("business_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "auditentry_business_id_created_at_id" to table: "audit_entries"
CREATE INDEX "auditentry_business_id_created_at_id" ON "audit_entries" ("business_id", "created_at", "id");
-- Create index "auditentry_business_id_record_id_created_at_id" to table: "audit_entries"
CREATE INDEX "auditentry_business_id_record_id_created_at_id" ON "audit_entries" ("business_id", "record_id", "created_at", "id");
-- Create "staff_members" table
CREATE TABLE "staff_members" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "role" character varying NOT NULL, "user_id" uuid NOT NULL, "business_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "staff_members_tenants_business" FOREIGN KEY ("business_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "staff_members_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "staffmember_business_id" to table: "staff_members"
CREATE INDEX "staffmember_business_id" ON "staff_members" ("business_id");
-- Create index "staffmember_operator" to table: "staff_members"
CREATE UNIQUE INDEX "staffmember_operator" ON "staff_members" ("user_id") WHERE (business_id IS NULL);
-- Create index "staffmember_user_id_business_id" to table: "staff_members"
CREATE UNIQUE INDEX "staffmember_user_id_business_id" ON "staff_members" ("user_id", "business_id");

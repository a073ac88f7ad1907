-- Create "staff_invitations" table
CREATE TABLE "staff_invitations" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "cell_number" character varying NOT NULL, "role" character varying NOT NULL, "expires_at" timestamptz NOT NULL, "business_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "staff_invitations_tenants_business" FOREIGN KEY ("business_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "staffinvitation_business_id_cell_number" to table: "staff_invitations"
CREATE UNIQUE INDEX "staffinvitation_business_id_cell_number" ON "staff_invitations" ("business_id", "cell_number");
-- Create index "staffinvitation_cell_number" to table: "staff_invitations"
CREATE INDEX "staffinvitation_cell_number" ON "staff_invitations" ("cell_number");
-- Create index "staffinvitation_expires_at" to table: "staff_invitations"
CREATE INDEX "staffinvitation_expires_at" ON "staff_invitations" ("expires_at");

-- Create "file_removals" table
CREATE TABLE "file_removals" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "prefix" character varying NOT NULL, "due_at" timestamptz NOT NULL, PRIMARY KEY ("id"));
-- Create index "fileremoval_due_at" to table: "file_removals"
CREATE INDEX "fileremoval_due_at" ON "file_removals" ("due_at");
-- Create "media_files" table
CREATE TABLE "media_files" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "address" character varying NOT NULL, "hash" bytea NOT NULL, "kind" character varying NOT NULL, "size" bigint NOT NULL, "width" bigint NOT NULL, "height" bigint NOT NULL, "placeholder_color" character varying NULL, "name" character varying NULL, "alt_fa" character varying NULL, "alt_en" character varying NULL, "used_at" timestamptz NOT NULL, "checked_at" timestamptz NOT NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "media_files_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "mediafile_checked_at" to table: "media_files"
CREATE INDEX "mediafile_checked_at" ON "media_files" ("checked_at");
-- Create index "mediafile_tenant_id_created_at_id" to table: "media_files"
CREATE INDEX "mediafile_tenant_id_created_at_id" ON "media_files" ("tenant_id", "created_at", "id");
-- Create index "mediafile_tenant_id_hash" to table: "media_files"
CREATE UNIQUE INDEX "mediafile_tenant_id_hash" ON "media_files" ("tenant_id", "hash");

-- Create index "mediafile_user_id_tenant_id" to table: "media_files"
CREATE INDEX CONCURRENTLY "mediafile_user_id_tenant_id" ON "media_files" ("user_id", "tenant_id");

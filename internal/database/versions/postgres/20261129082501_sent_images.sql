-- Create index "mediafile_tenant_id_sent_hash" to table: "media_files"
CREATE UNIQUE INDEX CONCURRENTLY "mediafile_tenant_id_sent_hash" ON "media_files" ("tenant_id", "sent_hash");

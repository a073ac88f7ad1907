-- Add column "sent_hash" to table: "media_files"
ALTER TABLE `media_files` ADD COLUMN `sent_hash` blob NULL;
-- Create index "mediafile_tenant_id_sent_hash" to table: "media_files"
CREATE UNIQUE INDEX `mediafile_tenant_id_sent_hash` ON `media_files` (`tenant_id`, `sent_hash`);

-- Modify "media_files" table
ALTER TABLE "media_files" ADD COLUMN "sent_hash" bytea NULL;

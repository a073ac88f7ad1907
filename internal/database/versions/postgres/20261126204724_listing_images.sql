-- Validate what "media_files" refers to
ALTER TABLE "media_files" VALIDATE CONSTRAINT "media_files_users_user";

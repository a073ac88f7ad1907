-- Modify "media_files" table
ALTER TABLE "media_files" ADD COLUMN "user_id" uuid NULL, ADD CONSTRAINT "media_files_users_user" FOREIGN KEY ("user_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION NOT VALID;

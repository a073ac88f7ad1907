-- Modify "staff_invitations" table
ALTER TABLE "staff_invitations" ADD COLUMN "sms" character varying NULL, ADD COLUMN "sms_at" timestamptz NULL;

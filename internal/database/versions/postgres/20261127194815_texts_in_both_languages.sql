-- Modify "business_profiles" table
ALTER TABLE "business_profiles" ADD COLUMN "working_hours_fa" text NULL;

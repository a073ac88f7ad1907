-- Modify "portfolios" table
ALTER TABLE "portfolios" ADD COLUMN "summary_fa" text NULL, ADD COLUMN "body_fa" text NULL;

-- Create "domain_aliases" table
CREATE TABLE "domain_aliases" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "domain" character varying NOT NULL, "business_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "domain_aliases_tenants_business" FOREIGN KEY ("business_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "domain_aliases_domain_key" to table: "domain_aliases"
CREATE UNIQUE INDEX "domain_aliases_domain_key" ON "domain_aliases" ("domain");
-- Create index "domainalias_business_id" to table: "domain_aliases"
CREATE INDEX "domainalias_business_id" ON "domain_aliases" ("business_id");

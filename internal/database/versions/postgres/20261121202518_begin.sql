-- Create "tenants" table
CREATE TABLE "tenants" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "domain" character varying NOT NULL, "slug" character varying NOT NULL, "name" character varying NOT NULL, "name_fa" character varying NOT NULL, "primary_color" character varying NULL, "default_locale" character varying NOT NULL DEFAULT 'fa', "logo_url" character varying NULL, "favicon_url" character varying NULL, "content_version" bigint NOT NULL DEFAULT 0, PRIMARY KEY ("id"));
-- Create index "tenants_domain_key" to table: "tenants"
CREATE UNIQUE INDEX "tenants_domain_key" ON "tenants" ("domain");
-- Create index "tenants_slug_key" to table: "tenants"
CREATE UNIQUE INDEX "tenants_slug_key" ON "tenants" ("slug");
-- Create "categories" table
CREATE TABLE "categories" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "entity_type" character varying NOT NULL, "slug" character varying NOT NULL, "name" character varying NOT NULL, "name_fa" character varying NOT NULL, "image_url" character varying NULL, "description" text NULL, "position" bigint NOT NULL DEFAULT 0, "form" jsonb NULL, "tenant_id" uuid NOT NULL, "parent_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "categories_categories_children" FOREIGN KEY ("parent_id") REFERENCES "categories" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION, CONSTRAINT "categories_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "category_tenant_id_entity_type_slug" to table: "categories"
CREATE UNIQUE INDEX "category_tenant_id_entity_type_slug" ON "categories" ("tenant_id", "entity_type", "slug");
-- Create "blogs" table
CREATE TABLE "blogs" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "slug" character varying NOT NULL, "title_fa" character varying NOT NULL, "title_en" character varying NULL, "summary" text NULL, "tags" jsonb NOT NULL, "images" jsonb NOT NULL, "seo" jsonb NOT NULL, "status" character varying NOT NULL DEFAULT 'published', "published_at" timestamptz NOT NULL, "search_text" text NOT NULL DEFAULT '', "type" character varying NOT NULL, "body" text NOT NULL, "author_name" character varying NULL, "tenant_id" uuid NOT NULL, "category_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "blogs_categories_category" FOREIGN KEY ("category_id") REFERENCES "categories" ("id") ON UPDATE NO ACTION ON DELETE SET NULL, CONSTRAINT "blogs_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "blog_search_text" to table: "blogs"
CREATE INDEX "blog_search_text" ON "blogs" USING gin ("search_text" gin_trgm_ops);
-- Create index "blog_tenant_id_slug" to table: "blogs"
CREATE UNIQUE INDEX "blog_tenant_id_slug" ON "blogs" ("tenant_id", "slug");
-- Create index "blog_tenant_id_status_published_at_id" to table: "blogs"
CREATE INDEX "blog_tenant_id_status_published_at_id" ON "blogs" ("tenant_id", "status", "published_at", "id");
-- Create "brand_groups" table
CREATE TABLE "brand_groups" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "key" character varying NOT NULL, "title" character varying NOT NULL, "item_ids" jsonb NOT NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "brand_groups_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "brandgroup_tenant_id_key" to table: "brand_groups"
CREATE UNIQUE INDEX "brandgroup_tenant_id_key" ON "brand_groups" ("tenant_id", "key");
-- Create "brands" table
CREATE TABLE "brands" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "slug" character varying NOT NULL, "name" character varying NOT NULL, "name_fa" character varying NOT NULL, "logo_url" character varying NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "brands_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "brand_tenant_id_slug" to table: "brands"
CREATE UNIQUE INDEX "brand_tenant_id_slug" ON "brands" ("tenant_id", "slug");
-- Create "business_profiles" table
CREATE TABLE "business_profiles" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "about" text NULL, "about_fa" text NULL, "phones" jsonb NOT NULL, "emails" jsonb NOT NULL, "addresses" jsonb NOT NULL, "social_links" jsonb NOT NULL, "working_hours" text NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "business_profiles_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "businessprofile_tenant_id" to table: "business_profiles"
CREATE UNIQUE INDEX "businessprofile_tenant_id" ON "business_profiles" ("tenant_id");
-- Create "category_groups" table
CREATE TABLE "category_groups" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "key" character varying NOT NULL, "title" character varying NOT NULL, "item_ids" jsonb NOT NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "category_groups_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "categorygroup_tenant_id_key" to table: "category_groups"
CREATE UNIQUE INDEX "categorygroup_tenant_id_key" ON "category_groups" ("tenant_id", "key");
-- Create "comments" table
CREATE TABLE "comments" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "entity_type" character varying NOT NULL, "entity_id" uuid NOT NULL, "author_name" character varying NOT NULL, "author_email" character varying NULL, "text" text NOT NULL, "status" character varying NOT NULL DEFAULT 'pending', "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "comments_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "comment_tenant_id_entity_type_entity_id_status_created_at_id" to table: "comments"
CREATE INDEX "comment_tenant_id_entity_type_entity_id_status_created_at_id" ON "comments" ("tenant_id", "entity_type", "entity_id", "status", "created_at", "id");
-- Create "contact_submissions" table
CREATE TABLE "contact_submissions" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "title" character varying NOT NULL, "name" character varying NOT NULL, "email" character varying NULL, "cell_number" character varying NULL, "text" text NOT NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "contact_submissions_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "contactsubmission_tenant_id_created_at" to table: "contact_submissions"
CREATE INDEX "contactsubmission_tenant_id_created_at" ON "contact_submissions" ("tenant_id", "created_at");
-- Create "products" table
CREATE TABLE "products" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "slug" character varying NOT NULL, "title_fa" character varying NOT NULL, "title_en" character varying NULL, "summary" text NULL, "tags" jsonb NOT NULL, "images" jsonb NOT NULL, "seo" jsonb NOT NULL, "status" character varying NOT NULL DEFAULT 'published', "published_at" timestamptz NOT NULL, "search_text" text NOT NULL DEFAULT '', "description" text NULL, "tag_keys" jsonb NOT NULL, "variations" jsonb NOT NULL, "values" jsonb NOT NULL, "price_min" bigint NULL, "price_max" bigint NULL, "price_currency" character varying NULL, "in_store" boolean NOT NULL DEFAULT false, "rating_sum" bigint NOT NULL DEFAULT 0, "rating_count" bigint NOT NULL DEFAULT 0, "tenant_id" uuid NOT NULL, "category_id" uuid NULL, "brand_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "products_brands_brand" FOREIGN KEY ("brand_id") REFERENCES "brands" ("id") ON UPDATE NO ACTION ON DELETE SET NULL, CONSTRAINT "products_categories_category" FOREIGN KEY ("category_id") REFERENCES "categories" ("id") ON UPDATE NO ACTION ON DELETE SET NULL, CONSTRAINT "products_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "product_search_text" to table: "products"
CREATE INDEX "product_search_text" ON "products" USING gin ("search_text" gin_trgm_ops);
-- Create index "product_tenant_id_brand_id_status_published_at_id" to table: "products"
CREATE INDEX "product_tenant_id_brand_id_status_published_at_id" ON "products" ("tenant_id", "brand_id", "status", "published_at", "id");
-- Create index "product_tenant_id_slug" to table: "products"
CREATE UNIQUE INDEX "product_tenant_id_slug" ON "products" ("tenant_id", "slug");
-- Create index "product_tenant_id_status_published_at_id" to table: "products"
CREATE INDEX "product_tenant_id_status_published_at_id" ON "products" ("tenant_id", "status", "published_at", "id");
-- Create "expert_reviews" table
CREATE TABLE "expert_reviews" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "author_name" character varying NOT NULL, "author_email" character varying NULL, "rate" bigint NOT NULL, "positive_points" jsonb NOT NULL, "negative_points" jsonb NOT NULL, "text" text NOT NULL, "status" character varying NOT NULL DEFAULT 'pending', "tenant_id" uuid NOT NULL, "product_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "expert_reviews_products_product" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "expert_reviews_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "expertreview_tenant_id_product_id_status_created_at_id" to table: "expert_reviews"
CREATE INDEX "expertreview_tenant_id_product_id_status_created_at_id" ON "expert_reviews" ("tenant_id", "product_id", "status", "created_at", "id");
-- Create "listings" table
CREATE TABLE "listings" ("id" bigint NOT NULL GENERATED BY DEFAULT AS IDENTITY, "kind" character varying NOT NULL, "facet" character varying NOT NULL, "published_at" timestamptz NOT NULL, "entity_id" uuid NOT NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "listings_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "listing_tenant_id_kind_facet_published_at_entity_id" to table: "listings"
CREATE UNIQUE INDEX "listing_tenant_id_kind_facet_published_at_entity_id" ON "listings" ("tenant_id", "kind", "facet", "published_at", "entity_id");
-- Create "portfolios" table
CREATE TABLE "portfolios" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "slug" character varying NOT NULL, "title_fa" character varying NOT NULL, "title_en" character varying NULL, "summary" text NULL, "tags" jsonb NOT NULL, "images" jsonb NOT NULL, "seo" jsonb NOT NULL, "status" character varying NOT NULL DEFAULT 'published', "published_at" timestamptz NOT NULL, "search_text" text NOT NULL DEFAULT '', "body" text NOT NULL, "client_name" character varying NULL, "completed_on" character varying NULL, "tenant_id" uuid NOT NULL, "category_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "portfolios_categories_category" FOREIGN KEY ("category_id") REFERENCES "categories" ("id") ON UPDATE NO ACTION ON DELETE SET NULL, CONSTRAINT "portfolios_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "portfolio_search_text" to table: "portfolios"
CREATE INDEX "portfolio_search_text" ON "portfolios" USING gin ("search_text" gin_trgm_ops);
-- Create index "portfolio_tenant_id_slug" to table: "portfolios"
CREATE UNIQUE INDEX "portfolio_tenant_id_slug" ON "portfolios" ("tenant_id", "slug");
-- Create index "portfolio_tenant_id_status_published_at_id" to table: "portfolios"
CREATE INDEX "portfolio_tenant_id_status_published_at_id" ON "portfolios" ("tenant_id", "status", "published_at", "id");
-- Create "sliders" table
CREATE TABLE "sliders" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "key" character varying NOT NULL, "title" character varying NULL, "position" bigint NOT NULL DEFAULT 0, "slides" jsonb NOT NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "sliders_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "slider_tenant_id_key" to table: "sliders"
CREATE UNIQUE INDEX "slider_tenant_id_key" ON "sliders" ("tenant_id", "key");
-- Create "store_specials" table
CREATE TABLE "store_specials" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "key" character varying NOT NULL, "title" character varying NOT NULL, "item_ids" jsonb NOT NULL, "starts_at" timestamptz NULL, "ends_at" timestamptz NULL, "tenant_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "store_specials_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "storespecial_tenant_id_key" to table: "store_specials"
CREATE UNIQUE INDEX "storespecial_tenant_id_key" ON "store_specials" ("tenant_id", "key");
-- Create "locations" table
CREATE TABLE "locations" ("id" uuid NOT NULL, "level" character varying NOT NULL, "slug" character varying NOT NULL, "name" character varying NOT NULL, "name_fa" character varying NOT NULL, "code" character varying NULL, "parent_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "locations_locations_children" FOREIGN KEY ("parent_id") REFERENCES "locations" ("id") ON UPDATE NO ACTION ON DELETE SET NULL);
-- Create index "location_level_slug" to table: "locations"
CREATE UNIQUE INDEX "location_level_slug" ON "locations" ("level", "slug");
-- Create index "location_parent_id" to table: "locations"
CREATE INDEX "location_parent_id" ON "locations" ("parent_id");
-- Create "user_products" table
CREATE TABLE "user_products" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "search_text" text NOT NULL DEFAULT '', "slug" character varying NOT NULL, "title_fa" character varying NOT NULL, "title_en" character varying NULL, "description" text NULL, "price" bigint NULL, "price_currency" character varying NOT NULL, "condition" character varying NOT NULL, "images" jsonb NOT NULL, "promoted" boolean NOT NULL DEFAULT false, "status" character varying NOT NULL DEFAULT 'published', "published_at" timestamptz NOT NULL, "values" jsonb NOT NULL, "delivery_notes" text NULL, "technical_notes" text NULL, "tenant_id" uuid NOT NULL, "category_id" uuid NULL, "city_id" uuid NULL, "province_id" uuid NULL, "country_id" uuid NULL, PRIMARY KEY ("id"), CONSTRAINT "user_products_categories_category" FOREIGN KEY ("category_id") REFERENCES "categories" ("id") ON UPDATE NO ACTION ON DELETE SET NULL, CONSTRAINT "user_products_locations_city" FOREIGN KEY ("city_id") REFERENCES "locations" ("id") ON UPDATE NO ACTION ON DELETE SET NULL, CONSTRAINT "user_products_locations_country" FOREIGN KEY ("country_id") REFERENCES "locations" ("id") ON UPDATE NO ACTION ON DELETE SET NULL, CONSTRAINT "user_products_locations_province" FOREIGN KEY ("province_id") REFERENCES "locations" ("id") ON UPDATE NO ACTION ON DELETE SET NULL, CONSTRAINT "user_products_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "userproduct_search_text" to table: "user_products"
CREATE INDEX "userproduct_search_text" ON "user_products" USING gin ("search_text" gin_trgm_ops);
-- Create index "userproduct_tenant_id_slug" to table: "user_products"
CREATE UNIQUE INDEX "userproduct_tenant_id_slug" ON "user_products" ("tenant_id", "slug");
-- Create index "userproduct_tenant_id_status_published_at_id" to table: "user_products"
CREATE INDEX "userproduct_tenant_id_status_published_at_id" ON "user_products" ("tenant_id", "status", "published_at", "id");
-- Create "variants" table
CREATE TABLE "variants" ("id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "search_text" text NOT NULL DEFAULT '', "sku" character varying NOT NULL, "sku_text" text NOT NULL DEFAULT '', "options" jsonb NOT NULL, "price" bigint NULL, "price_milli" bigint NULL, "compare_at_price" bigint NULL, "price_currency" character varying NOT NULL, "stock" bigint NOT NULL DEFAULT 0, "is_festival" boolean NOT NULL DEFAULT false, "max_order_quantity" bigint NULL, "image_url" character varying NULL, "on_sale" boolean NOT NULL DEFAULT true, "listed_at" timestamptz NULL, "tenant_id" uuid NOT NULL, "product_id" uuid NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "variants_products_product" FOREIGN KEY ("product_id") REFERENCES "products" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "variants_tenants_tenant" FOREIGN KEY ("tenant_id") REFERENCES "tenants" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "stock_not_negative" CHECK (stock >= 0));
-- Create index "variant_product_id_listed_at" to table: "variants"
CREATE INDEX "variant_product_id_listed_at" ON "variants" ("product_id", "listed_at");
-- Create index "variant_search_text" to table: "variants"
CREATE INDEX "variant_search_text" ON "variants" USING gin ("search_text" gin_trgm_ops);
-- Create index "variant_tenant_id_listed_at_id" to table: "variants"
CREATE INDEX "variant_tenant_id_listed_at_id" ON "variants" ("tenant_id", "listed_at", "id");
-- Create index "variant_tenant_id_sku" to table: "variants"
CREATE UNIQUE INDEX "variant_tenant_id_sku" ON "variants" ("tenant_id", "sku");

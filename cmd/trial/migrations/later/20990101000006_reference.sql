ALTER TABLE "cart_items" ADD CONSTRAINT "trial_reference" FOREIGN KEY ("variant_id")
REFERENCES "variants" ("id") ON DELETE CASCADE NOT VALID

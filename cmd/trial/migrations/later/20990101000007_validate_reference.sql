ALTER TABLE "cart_items" VALIDATE CONSTRAINT "trial_reference"

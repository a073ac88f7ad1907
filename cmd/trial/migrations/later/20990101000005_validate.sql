ALTER TABLE "variants" VALIDATE CONSTRAINT "trial_check"

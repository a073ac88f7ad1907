ALTER TABLE "variants" ADD CONSTRAINT "trial_check" CHECK ("trial_weight" > 0) NOT VALID

ALTER TABLE "variants" ADD COLUMN "trial_weight" bigint NULL

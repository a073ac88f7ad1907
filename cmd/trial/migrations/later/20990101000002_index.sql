CREATE INDEX CONCURRENTLY "trial_weights" ON "variants" ("tenant_id", "trial_weight")

-- batches from 00000000-0000-0000-0000-000000000000
SELECT last::text FROM (SELECT id AS last FROM "variants" WHERE id > $1::uuid ORDER BY id LIMIT 500) AS part
ORDER BY last DESC LIMIT 1;
UPDATE "variants" SET "trial_weight" = 1 WHERE id > $1::uuid AND id <= $2::uuid;

-- Entries say whose orders, listings and roles they are about, so that erasing a customer finds them. Of listings that are gone
-- only those that staff deleted say it: of the others, which their customers withdrew, nobody could find the texts any more, and
-- they go. So do words about the payments of customers who are erased already.
-- Without its figures PostgreSQL might go through all entries for each of them.
ANALYZE "audit_entries";
UPDATE "audit_entries" AS e SET "customer_id" = o."user_id", "record_name" = o."order_number" FROM "orders" AS o
	WHERE e."kind" = 'order' AND o."id" = e."record_id";
UPDATE "audit_entries" AS e SET "after" = e."after" - 'reason' FROM "orders" AS o
	WHERE e."kind" = 'order' AND e."action" = 'markPayment' AND o."id" = e."record_id" AND o."user_id" IS NULL;
UPDATE "audit_entries" AS e SET "record_name" = v."sku" FROM "variants" AS v WHERE e."kind" = 'variant' AND v."id" = e."record_id";
UPDATE "audit_entries" AS e SET "customer_id" = p."user_id" FROM "user_products" AS p
	WHERE e."kind" = 'userProduct' AND p."id" = e."record_id";
UPDATE "audit_entries" AS e SET "customer_id" = (d."before" ->> 'userId')::uuid FROM "audit_entries" AS d
	WHERE e."kind" = 'userProduct' AND d."record_id" = e."record_id" AND d."action" = 'deleteUserProduct' AND d."before" ->> 'userId' IS NOT NULL;
UPDATE "audit_entries" AS e SET "before" = NULL, "after" = NULL
	WHERE e."kind" = 'userProduct' AND e."customer_id" IS NULL
	AND NOT EXISTS (SELECT 1 FROM "user_products" AS p WHERE p."id" = e."record_id")
	AND NOT EXISTS (SELECT 1 FROM "audit_entries" AS d
		WHERE d."record_id" = e."record_id" AND d."action" = 'deleteUserProduct' AND d."before" IS NOT NULL);
UPDATE "audit_entries" SET "customer_id" = COALESCE("before" ->> 'userId', "after" ->> 'userId')::uuid WHERE "kind" = 'staffMember';

-- Entries say whose orders, listings and roles they are about, so that erasing a customer finds them. Of listings that are gone
-- only those that staff deleted say it: of the others, which their customers withdrew, nobody could find the texts any more, and
-- they go. So do words about the payments of customers who are erased already.
UPDATE `audit_entries` SET `customer_id` = o.`user_id`, `record_name` = o.`order_number` FROM `orders` AS o
	WHERE `audit_entries`.`kind` = 'order' AND o.`id` = `audit_entries`.`record_id`;
UPDATE `audit_entries` SET `after` = json_remove(`after`, '$.reason') FROM `orders` AS o
	WHERE `audit_entries`.`kind` = 'order' AND `audit_entries`.`action` = 'markPayment' AND o.`id` = `audit_entries`.`record_id`
	AND o.`user_id` IS NULL;
UPDATE `audit_entries` SET `record_name` = v.`sku` FROM `variants` AS v
	WHERE `audit_entries`.`kind` = 'variant' AND v.`id` = `audit_entries`.`record_id`;
UPDATE `audit_entries` SET `customer_id` = p.`user_id` FROM `user_products` AS p
	WHERE `audit_entries`.`kind` = 'userProduct' AND p.`id` = `audit_entries`.`record_id`;
UPDATE `audit_entries` SET `customer_id` = d.`before` ->> 'userId' FROM `audit_entries` AS d
	WHERE `audit_entries`.`kind` = 'userProduct' AND d.`record_id` = `audit_entries`.`record_id` AND d.`action` = 'deleteUserProduct'
	AND d.`before` ->> 'userId' IS NOT NULL;
UPDATE `audit_entries` SET `before` = NULL, `after` = NULL
	WHERE `kind` = 'userProduct' AND `customer_id` IS NULL
	AND NOT EXISTS (SELECT 1 FROM `user_products` AS p WHERE p.`id` = `audit_entries`.`record_id`)
	AND `record_id` NOT IN (SELECT d.`record_id` FROM `audit_entries` AS d
		WHERE d.`action` = 'deleteUserProduct' AND d.`before` IS NOT NULL AND d.`record_id` IS NOT NULL);
UPDATE `audit_entries` SET `customer_id` = COALESCE(`before` ->> 'userId', `after` ->> 'userId') WHERE `kind` = 'staffMember';

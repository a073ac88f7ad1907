-- Written by hand, as a new column needs no new table.
ALTER TABLE `tenants` ADD COLUMN `time_zone` text NULL;
ALTER TABLE `variants` ADD COLUMN `low_stock_at` integer NULL;
ALTER TABLE `orders` ADD COLUMN `discount` integer NOT NULL DEFAULT 0;
-- Create "order_days" table
CREATE TABLE `order_days` (`id` integer NOT NULL PRIMARY KEY AUTOINCREMENT, `day` integer NOT NULL, `figures` blob NULL, `mark` uuid NULL, `tenant_id` uuid NOT NULL, CONSTRAINT `order_days_tenants_tenant` FOREIGN KEY (`tenant_id`) REFERENCES `tenants` (`id`) ON DELETE CASCADE);
-- Create index "orderday_tenant_id_day" to table: "order_days"
CREATE UNIQUE INDEX `orderday_tenant_id_day` ON `order_days` (`tenant_id`, `day`);
-- Create index "orderday_day" to table: "order_days"
CREATE INDEX `orderday_day` ON `order_days` (`day`) WHERE figures IS NULL;
-- The figures of a day (UTC) are taken away, in the same transaction, by each change of an order that they depend on: its
-- being there, whether it is cancelled, its customer and address, and whether its payment is paid or refunded
-- (internal/report). Of the customer's next order they say that it is not the first. An order comes with its lines and its
-- payment, in one transaction, and these stay. A day on which there are orders has a row. Times are microseconds.
CREATE TRIGGER `order_day_begins` AFTER INSERT ON `orders` BEGIN
	UPDATE `order_days` SET `figures` = NULL, `mark` = NULL
		WHERE `tenant_id` = NEW.`tenant_id` AND `day` = NEW.`created_at` / 86400000000
		AND (`figures` IS NOT NULL OR `mark` IS NOT NULL);
	UPDATE `order_days` SET `figures` = NULL, `mark` = NULL
		WHERE `tenant_id` = NEW.`tenant_id` AND `day` = (SELECT o.`created_at` / 86400000000 FROM `orders` AS o
			WHERE o.`user_id` = NEW.`user_id` AND o.`tenant_id` = NEW.`tenant_id`
				AND (o.`created_at`, o.`id`) > (NEW.`created_at`, NEW.`id`) ORDER BY o.`created_at`, o.`id` LIMIT 1)
		AND (`figures` IS NOT NULL OR `mark` IS NOT NULL);
	INSERT INTO `order_days` (`tenant_id`, `day`) SELECT NEW.`tenant_id`, NEW.`created_at` / 86400000000
		WHERE NOT EXISTS (SELECT 1 FROM `order_days`
			WHERE `tenant_id` = NEW.`tenant_id` AND `day` = NEW.`created_at` / 86400000000);
END;
CREATE TRIGGER `order_day_changes` AFTER UPDATE OF `status`, `user_id`, `shipping_address` ON `orders`
WHEN (OLD.`status` = 'cancelled') <> (NEW.`status` = 'cancelled') OR OLD.`user_id` IS NOT NEW.`user_id`
	OR OLD.`shipping_address` <> NEW.`shipping_address` BEGIN
	UPDATE `order_days` SET `figures` = NULL, `mark` = NULL
		WHERE `tenant_id` = OLD.`tenant_id` AND `day` = OLD.`created_at` / 86400000000
		AND (`figures` IS NOT NULL OR `mark` IS NOT NULL);
	UPDATE `order_days` SET `figures` = NULL, `mark` = NULL
		WHERE `tenant_id` = OLD.`tenant_id` AND `day` = (SELECT o.`created_at` / 86400000000 FROM `orders` AS o
			WHERE o.`user_id` = OLD.`user_id` AND o.`tenant_id` = OLD.`tenant_id`
				AND (o.`created_at`, o.`id`) > (OLD.`created_at`, OLD.`id`) ORDER BY o.`created_at`, o.`id` LIMIT 1)
		AND (`figures` IS NOT NULL OR `mark` IS NOT NULL);
END;
CREATE TRIGGER `order_day_loses` AFTER DELETE ON `orders` BEGIN
	UPDATE `order_days` SET `figures` = NULL, `mark` = NULL
		WHERE `tenant_id` = OLD.`tenant_id` AND `day` = OLD.`created_at` / 86400000000
		AND (`figures` IS NOT NULL OR `mark` IS NOT NULL);
	UPDATE `order_days` SET `figures` = NULL, `mark` = NULL
		WHERE `tenant_id` = OLD.`tenant_id` AND `day` = (SELECT o.`created_at` / 86400000000 FROM `orders` AS o
			WHERE o.`user_id` = OLD.`user_id` AND o.`tenant_id` = OLD.`tenant_id`
				AND (o.`created_at`, o.`id`) > (OLD.`created_at`, OLD.`id`) ORDER BY o.`created_at`, o.`id` LIMIT 1)
		AND (`figures` IS NOT NULL OR `mark` IS NOT NULL);
END;
CREATE TRIGGER `order_day_is_paid` AFTER UPDATE OF `status` ON `payments`
WHEN OLD.`status` <> NEW.`status` AND (OLD.`status` IN ('paid', 'refunded') OR NEW.`status` IN ('paid', 'refunded')) BEGIN
	UPDATE `order_days` SET `figures` = NULL, `mark` = NULL
		WHERE `tenant_id` = NEW.`tenant_id` AND `day` = (SELECT o.`created_at` / 86400000000 FROM `orders` AS o WHERE o.`id` = NEW.`order_id`)
		AND (`figures` IS NOT NULL OR `mark` IS NOT NULL);
END;

-- SQLite's times are microseconds: the day is a number, of days since 1970.
DROP INDEX `cart_used_on`;
ALTER TABLE `carts` DROP COLUMN `used_on`;
ALTER TABLE `carts` ADD COLUMN `used_on` integer NULL GENERATED ALWAYS AS (updated_at / 86400000000) VIRTUAL;
CREATE INDEX `cart_used_on` ON `carts` (`used_on`);

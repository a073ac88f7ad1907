-- The day on which a cart was written last, by which old ones are found: of its time each write changed the index.
DROP INDEX `cart_updated_at`;
ALTER TABLE `carts` ADD COLUMN `used_on` text NULL GENERATED ALWAYS AS (substr(updated_at, 1, 10)) VIRTUAL;
CREATE INDEX `cart_used_on` ON `carts` (`used_on`);

-- Add column "ticket_mac" to table: "one_time_codes"
ALTER TABLE `one_time_codes` ADD COLUMN `ticket_mac` blob NULL;
-- Add column "ticket_until" to table: "one_time_codes"
ALTER TABLE `one_time_codes` ADD COLUMN `ticket_until` datetime NULL;

-- Written by hand: the table is a cache, and 20261129072116_events.sql makes it anew.
DROP TABLE "order_days";
DROP FUNCTION order_day_changes(), order_day_is_paid(), forget_order_day(uuid, bigint), order_day_lock(uuid, bigint);

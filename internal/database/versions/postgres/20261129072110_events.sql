DROP TRIGGER order_day_changes ON orders;

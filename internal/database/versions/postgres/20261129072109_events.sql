DROP TRIGGER order_day_begins ON orders;

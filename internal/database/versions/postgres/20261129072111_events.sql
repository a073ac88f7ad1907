DROP TRIGGER order_day_is_paid ON payments;

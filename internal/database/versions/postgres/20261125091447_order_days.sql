CREATE TRIGGER order_day_is_paid AFTER UPDATE OF status ON payments FOR EACH ROW
	WHEN (OLD.status <> NEW.status AND (OLD.status IN ('paid', 'refunded') OR NEW.status IN ('paid', 'refunded')))
	EXECUTE FUNCTION order_day_is_paid();

CREATE TRIGGER order_day_changes AFTER UPDATE OF status, user_id, shipping_address ON orders FOR EACH ROW
	WHEN ((OLD.status = 'cancelled') <> (NEW.status = 'cancelled') OR OLD.user_id IS DISTINCT FROM NEW.user_id
		OR OLD.shipping_address <> NEW.shipping_address)
	EXECUTE FUNCTION order_day_changes();

-- Rows that change in place, while no index has what changes: room is left for their new selves. An answer comes to its key
-- after the key, and is most of the row.
ALTER TABLE "idempotency_keys" SET (fillfactor = 50);
ALTER TABLE "cart_items" SET (fillfactor = 80);
ALTER TABLE "tenants" SET (fillfactor = 50);

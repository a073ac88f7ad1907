-- Drop index "cart_tenant_id" from table: "carts"
DROP INDEX `cart_tenant_id`;

DROP INDEX IF EXISTS "product_search_text";

DROP INDEX IF EXISTS "userproduct_search_text";

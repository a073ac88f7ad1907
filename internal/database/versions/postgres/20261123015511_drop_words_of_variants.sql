DROP INDEX IF EXISTS "variant_search_text";

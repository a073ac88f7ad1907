DROP INDEX IF EXISTS "portfolio_search_text";

DROP INDEX IF EXISTS "blog_search_text";

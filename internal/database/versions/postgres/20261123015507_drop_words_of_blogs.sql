DROP INDEX "blog_search_text";

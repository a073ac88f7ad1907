DROP INDEX "variant_search_text";

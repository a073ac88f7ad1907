DROP INDEX "userproduct_search_text";

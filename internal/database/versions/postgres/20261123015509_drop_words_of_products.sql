DROP INDEX "product_search_text";

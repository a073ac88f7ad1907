DROP INDEX "portfolio_search_text";

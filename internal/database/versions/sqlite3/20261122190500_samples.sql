-- The samples that ANALYZE took of a database with rows. SQLite looks each argument of a statement up in them, and so plans
-- every statement anew for each execution, which takes longer than running it.
DELETE FROM sqlite_stat4;

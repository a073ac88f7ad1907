-- What this made is made by the files around it. Databases in which it was applied know it by this name, and need it no more.
SELECT 1;

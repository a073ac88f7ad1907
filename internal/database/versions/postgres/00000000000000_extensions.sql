-- Written by hand: the trigram indexes of the search text need it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

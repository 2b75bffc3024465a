-- The components of a short form, by which an index of the extension `vector` compares directions.
CREATE FUNCTION twiceshy.direction(short bytea) RETURNS integer[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT ARRAY(SELECT (pg_catalog.get_byte($1, i) OPERATOR(pg_catalog.#) 128) OPERATOR(pg_catalog.-) 128
                 FROM pg_catalog.generate_series(8, pg_catalog.octet_length($1) OPERATOR(pg_catalog.-) 1) i)
$$

-- A vector that is in no index yet is compared by itself, so that a commit need not wait until an index has it.
ALTER TABLE twiceshy.shorts ADD COLUMN is_entered boolean NOT NULL DEFAULT true

CREATE INDEX shorts_fresh ON twiceshy.shorts (kind, doc) WHERE NOT is_entered

-- Makes a commit that the program has worked out: one call, so that a commit is one way to the server, as an insert is.
-- Returns its number; nothing if the memory is not what the program took it for, and then nothing was changed. It does what
-- the role that calls it may do. A document that is new goes by its place in the batch, which is below 1,024.
CREATE FUNCTION twiceshy.make_commit(
    in_memory integer, commit_id bytea, is_light boolean,
    -- All keys of the batch with the documents that should be there, and the lengths that the vectors of kinds should have.
    key_kinds integer[], key_ids text[], key_docs bigint[], key_versions bigint[],
    length_kinds integer[], lengths integer[],
    removed bigint[],
    put_docs bigint[], put_kinds integer[], put_ids text[], put_versions bigint[], put_texts boolean[], put_vectors boolean[],
    put_entries text[], put_bodies bytea[],
    left_kinds integer[], left_entries bytea[], left_docs bigint[],
    entered_kinds integer[], entered_entries bytea[], entered_docs bigint[],
    repeated_kinds integer[], repeated_names text[],
    gone_kinds integer[], gone_docs bigint[], gone_texts text[],
    fresh_kinds integer[], fresh_docs bigint[], fresh_texts text[],
    unvectored_kinds integer[], unvectored_docs bigint[],
    vector_kinds integer[], vector_docs bigint[], vectors bytea[], shorts bytea[], codes text[], is_bulk boolean,
    total_kinds integer[], total_texts bigint[], total_tokens bigint[]
) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog AS $$
#variable_conflict use_column
DECLARE
    number bigint;
    base bigint;
    found bigint;
    as_known bigint;
BEGIN
    -- First of all: whoever tries a commit again waits here for the first attempt, and learns that it was made.
    -- Without an id it was noted before, in the same transaction.
    IF commit_id IS NOT NULL THEN
        INSERT INTO twiceshy.commits (memory, id) VALUES (in_memory, commit_id);
    END IF;
    PERFORM pg_advisory_xact_lock_shared(846424188, in_memory);
    -- Documents are locked in the order of their keys, so that two commits never wait for each other.
    SELECT count(*), count(*) FILTER (WHERE l.doc = l.known_doc AND l.version = l.known_version) INTO found, as_known
        FROM (SELECT d.doc, d.version, u.known_doc, u.known_version
              FROM unnest(key_kinds, key_ids, key_docs, key_versions) u(kind, id, known_doc, known_version)
              JOIN twiceshy.documents d ON d.kind = u.kind AND d.id = u.id
              ORDER BY d.kind, d.id FOR UPDATE OF d) l;
    IF cardinality(length_kinds) > 0 THEN
        PERFORM pg_advisory_xact_lock_shared(846424186, u.kind) FROM unnest(length_kinds) u(kind);
        IF EXISTS (SELECT FROM unnest(length_kinds, lengths) u(kind, length)
                   JOIN twiceshy.kinds k ON k.kind = u.kind WHERE k.length IS DISTINCT FROM u.length) THEN
            as_known := -1;
        END IF;
    END IF;
    IF found <> as_known OR as_known <> cardinality(array_remove(key_docs, NULL)) THEN
        IF commit_id IS NULL THEN
            RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'another commit came between';
        END IF;
        DELETE FROM twiceshy.commits c WHERE c.id = commit_id;
        PERFORM set_config('synchronous_commit', 'off', true);
        RETURN NULL;
    END IF;
    IF is_light THEN
        PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
    number := nextval('twiceshy.arrivals');
    base := number * 1024;
    IF cardinality(removed) > 0 THEN
        DELETE FROM twiceshy.documents d WHERE d.doc = ANY (removed);
    END IF;
    IF EXISTS (SELECT FROM unnest(put_docs) u(doc) WHERE u.doc >= 1024) THEN
        UPDATE twiceshy.documents d SET version = u.version, has_text = u.has_text, has_vector = u.has_vector,
            entries = u.entries::bytea[], body = u.body
            FROM unnest(put_docs, put_versions, put_texts, put_vectors, put_entries, put_bodies)
                u(doc, version, has_text, has_vector, entries, body)
            WHERE u.doc >= 1024 AND d.doc = u.doc;
    END IF;
    IF EXISTS (SELECT FROM unnest(put_docs) u(doc) WHERE u.doc < 1024) THEN
        INSERT INTO twiceshy.documents (memory, kind, id, doc, version, has_text, has_vector, entries, body)
            SELECT in_memory, u.kind, u.id, base + u.doc, u.version, u.has_text, u.has_vector, u.entries::bytea[], u.body
            FROM unnest(put_kinds, put_ids, put_docs, put_versions, put_texts, put_vectors, put_entries, put_bodies)
                u(kind, id, doc, version, has_text, has_vector, entries, body)
            WHERE u.doc < 1024;
    END IF;
    IF cardinality(repeated_kinds) > 0 THEN
        INSERT INTO twiceshy.repeated (memory, kind, name)
            SELECT in_memory, u.kind, u.name FROM unnest(repeated_kinds, repeated_names) u(kind, name)
            WHERE NOT EXISTS (SELECT FROM twiceshy.repeated r WHERE r.kind = u.kind AND r.name = u.name)
            ON CONFLICT DO NOTHING;
    END IF;
    IF cardinality(left_kinds) > 0 THEN
        DELETE FROM twiceshy.attributes a USING unnest(left_kinds, left_entries, left_docs) u(kind, entry, doc)
            WHERE a.kind = u.kind AND a.entry = u.entry AND a.doc = u.doc;
    END IF;
    IF cardinality(entered_kinds) > 0 THEN
        INSERT INTO twiceshy.attributes (memory, kind, entry, doc)
            SELECT in_memory, u.kind, u.entry, CASE WHEN u.doc < 1024 THEN base + u.doc ELSE u.doc END
            FROM unnest(entered_kinds, entered_entries, entered_docs) u(kind, entry, doc);
    END IF;
    IF cardinality(gone_kinds) > 0 THEN
        -- What is fresh is in no list. Who enters fresh texts just now is waited for.
        WITH texts AS MATERIALIZED (SELECT * FROM unnest(gone_kinds, gone_docs, gone_texts) u(kind, doc, text)),
            removed_texts AS (DELETE FROM twiceshy.fresh f USING texts t WHERE f.kind = t.kind AND f.doc = t.doc RETURNING f.doc)
            INSERT INTO twiceshy.gone (memory, kind, doc, text)
            SELECT in_memory, t.kind, t.doc, t.text FROM texts t WHERE t.doc NOT IN (SELECT r.doc FROM removed_texts r);
    END IF;
    IF cardinality(fresh_kinds) > 0 THEN
        INSERT INTO twiceshy.fresh (memory, kind, doc, text)
            SELECT in_memory, u.kind, CASE WHEN u.doc < 1024 THEN base + u.doc ELSE u.doc END, u.text
            FROM unnest(fresh_kinds, fresh_docs, fresh_texts) u(kind, doc, text);
    END IF;
    IF cardinality(unvectored_kinds) > 0 THEN
        DELETE FROM twiceshy.vectors v USING unnest(unvectored_kinds, unvectored_docs) u(kind, doc)
            WHERE v.kind = u.kind AND v.doc = u.doc;
        DELETE FROM twiceshy.shorts s USING unnest(unvectored_kinds, unvectored_docs) u(kind, doc)
            WHERE s.kind = u.kind AND s.doc = u.doc;
    END IF;
    IF cardinality(vector_kinds) > 0 THEN
        INSERT INTO twiceshy.vectors (memory, kind, doc, vector)
            SELECT in_memory, u.kind, CASE WHEN u.doc < 1024 THEN base + u.doc ELSE u.doc END, u.vector
            FROM unnest(vector_kinds, vector_docs, vectors) u(kind, doc, vector);
        INSERT INTO twiceshy.shorts (memory, kind, doc, short, code, is_entered)
            SELECT in_memory, u.kind, CASE WHEN u.doc < 1024 THEN base + u.doc ELSE u.doc END, u.short, u.code::varbit,
                is_bulk OR to_regclass('twiceshy.near_' || u.kind || '_' || length(u.code)) IS NULL
            FROM unnest(vector_kinds, vector_docs, shorts, codes) u(kind, doc, short, code);
    END IF;
    IF cardinality(total_kinds) > 0 THEN
        INSERT INTO twiceshy.totals AS t (memory, kind, slot, texts, tokens)
            SELECT in_memory, u.kind, pg_backend_pid() % 16, u.texts, u.tokens
            FROM unnest(total_kinds, total_texts, total_tokens) u(kind, texts, tokens)
            ON CONFLICT (kind, slot) DO UPDATE
            SET texts = t.texts + excluded.texts, tokens = t.tokens + excluded.tokens;
    END IF;
    RETURN number;
END $$

-- What a document is found by is entered into its indices later, together with that of others: a commit writes one row for it.
-- `text` is in no list of a term yet, `entries` are not among the attributes, and the vector has no short form. Until then readers
-- look at these rows by themselves.
ALTER TABLE twiceshy.fresh ALTER COLUMN text DROP NOT NULL, ADD COLUMN entries bytea[], ADD COLUMN has_vector boolean NOT NULL DEFAULT false

CREATE INDEX fresh_unentered ON twiceshy.fresh (kind, doc) WHERE entries IS NOT NULL

-- Programs of before would not find what is not entered: this way they are told so.
ALTER TABLE twiceshy.attributes RENAME COLUMN entry TO entered

-- The totals are those of the lists from now on: without what is fresh, and with what is gone.
INSERT INTO twiceshy.totals AS t (memory, kind, slot, texts, tokens)
    SELECT memory, kind, 0, sum(sign), sum(sign * cardinality(string_to_array(text, ' '))) FROM
        (SELECT memory, kind, text, -1 AS sign FROM twiceshy.fresh UNION ALL SELECT memory, kind, text, 1 FROM twiceshy.gone) u
    GROUP BY memory, kind
    ON CONFLICT (kind, slot) DO UPDATE SET texts = t.texts + excluded.texts, tokens = t.tokens + excluded.tokens

UPDATE twiceshy.shorts SET is_entered = true WHERE NOT is_entered

DROP INDEX twiceshy.shorts_fresh

DROP FUNCTION twiceshy.make_commit

-- Makes a commit that the program has worked out: one call, so that a commit is one way to the server, as an insert is.
-- Returns its number; nothing if the memory is not what the program took it for, and then nothing was changed. It does what
-- the role that calls it may do. A document that is new goes by its place in the batch, which is below 1,024. Each statement costs
-- as much as two rows, so there are few of them for a document that is new; what is assigned or asked by IF alone is none.
CREATE FUNCTION twiceshy.make_commit(
    in_memory integer, commit_id bytea, is_light boolean,
    -- Keys of the batch with the documents that should be there, but for those that have to be new: the server sees to that.
    key_kinds integer[], key_ids text[], key_docs bigint[], key_versions bigint[],
    removed bigint[],
    -- Documents that are removed or written again, in the order of their keys.
    touched_kinds integer[], touched_docs bigint[],
    put_docs bigint[], put_kinds integer[], put_ids text[], put_versions bigint[], put_texts boolean[], put_vectors boolean[],
    put_entries text[], put_bodies bytea[],
    left_kinds integer[], left_entries bytea[], left_docs bigint[],
    entered_kinds integer[], entered_entries bytea[], entered_docs bigint[],
    repeated_kinds integer[], repeated_names text[],
    gone_kinds integer[], gone_docs bigint[], gone_texts text[],
    unvectored_kinds integer[], unvectored_docs bigint[],
    -- Short forms and codes only of vectors that are entered at once.
    vector_kinds integer[], vector_docs bigint[], vectors bytea[], shorts bytea[], codes text[],
    fresh_kinds integer[], fresh_docs bigint[], fresh_texts text[], fresh_entries text[], fresh_vectors boolean[]
) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog AS $$
#variable_conflict use_column
DECLARE
    number bigint;
    base bigint;
    found bigint;
    as_known bigint;
    done text;
    -- Documents whose entries and whose texts are fresh.
    unentered bigint[] := '{}';
    unlisted bigint[] := '{}';
BEGIN
    -- First of all: whoever tries a commit again waits here for the first attempt, and learns that it was made.
    -- Without an id it was noted before, in the same transaction.
    IF commit_id IS NOT NULL THEN
        INSERT INTO twiceshy.commits (memory, id) VALUES (in_memory, commit_id);
    END IF;
    done := pg_advisory_xact_lock_shared(846424188, in_memory)::text;
    -- Documents are locked in the order of their keys, so that two commits never wait for each other.
    IF cardinality(key_docs) > 0 THEN
        SELECT count(*), count(*) FILTER (WHERE l.doc = l.known_doc AND l.version = l.known_version) INTO found, as_known
            FROM (SELECT d.doc, d.version, u.known_doc, u.known_version
                  FROM unnest(key_kinds, key_ids, key_docs, key_versions) u(kind, id, known_doc, known_version)
                  JOIN twiceshy.documents d ON d.kind = u.kind AND d.id = u.id
                  ORDER BY d.kind, d.id FOR UPDATE OF d) l;
        IF found <> as_known OR as_known <> cardinality(array_remove(key_docs, NULL)) THEN
            IF commit_id IS NULL THEN
                RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'another commit came between';
            END IF;
            DELETE FROM twiceshy.commits c WHERE c.id = commit_id;
            done := set_config('synchronous_commit', 'off', true);
            RETURN NULL;
        END IF;
    END IF;
    IF is_light THEN
        done := set_config('synchronous_commit', 'off', true);
    END IF;
    number := nextval('twiceshy.arrivals');
    base := number * 1024;
    IF cardinality(removed) > 0 THEN
        DELETE FROM twiceshy.documents d WHERE d.doc = ANY (removed);
    END IF;
    IF 1024 <= ANY (put_docs) THEN
        UPDATE twiceshy.documents d SET version = u.version, has_text = u.has_text, has_vector = u.has_vector,
            entries = u.entries::bytea[], body = u.body
            FROM unnest(put_docs, put_versions, put_texts, put_vectors, put_entries, put_bodies)
                u(doc, version, has_text, has_vector, entries, body)
            WHERE u.doc >= 1024 AND d.doc = u.doc;
    END IF;
    IF 1024 > ANY (put_docs) THEN
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
    -- Whoever enters what is fresh of these documents just now is waited for.
    IF cardinality(touched_docs) > 0 THEN
        SELECT coalesce(array_agg(l.doc) FILTER (WHERE l.entries IS NOT NULL), '{}'),
               coalesce(array_agg(l.doc) FILTER (WHERE l.text IS NOT NULL), '{}'), count(*)
            INTO unentered, unlisted, found
            FROM (SELECT f.doc, f.entries, f.text FROM unnest(touched_kinds, touched_docs) u(kind, doc)
                  JOIN twiceshy.fresh f ON f.kind = u.kind AND f.doc = u.doc ORDER BY f.kind, f.doc FOR UPDATE OF f) l;
        IF found > 0 THEN
            DELETE FROM twiceshy.fresh f USING unnest(touched_kinds, touched_docs) u(kind, doc)
                WHERE f.kind = u.kind AND f.doc = u.doc AND u.doc = ANY (removed);
            UPDATE twiceshy.fresh f SET
                text = CASE WHEN f.doc = ANY (gone_docs) THEN NULL ELSE f.text END,
                has_vector = f.has_vector AND f.doc <> ALL (unvectored_docs),
                entries = CASE WHEN f.entries IS NOT NULL THEN ARRAY(
                    SELECT e FROM unnest(f.entries) e
                    EXCEPT SELECT l.entry FROM unnest(left_entries, left_docs) l(entry, doc) WHERE l.doc = f.doc
                    UNION SELECT n.entry FROM unnest(entered_entries, entered_docs) n(entry, doc) WHERE n.doc = f.doc) END
                FROM unnest(touched_kinds, touched_docs) u(kind, doc) WHERE f.kind = u.kind AND f.doc = u.doc;
        END IF;
    END IF;
    IF cardinality(left_kinds) > 0 THEN
        DELETE FROM twiceshy.attributes a USING unnest(left_kinds, left_entries, left_docs) u(kind, entry, doc)
            WHERE a.kind = u.kind AND a.entered = u.entry AND a.doc = u.doc;
    END IF;
    IF cardinality(entered_kinds) > 0 THEN
        INSERT INTO twiceshy.attributes (memory, kind, entered, doc)
            SELECT in_memory, u.kind, u.entry, CASE WHEN u.doc < 1024 THEN base + u.doc ELSE u.doc END
            FROM unnest(entered_kinds, entered_entries, entered_docs) u(kind, entry, doc) WHERE u.doc <> ALL (unentered);
    END IF;
    IF cardinality(gone_kinds) > 0 THEN
        -- What is fresh is in no list.
        INSERT INTO twiceshy.gone (memory, kind, doc, text)
            SELECT in_memory, u.kind, u.doc, u.text FROM unnest(gone_kinds, gone_docs, gone_texts) u(kind, doc, text)
            WHERE u.doc <> ALL (unlisted);
    END IF;
    IF cardinality(unvectored_kinds) > 0 THEN
        DELETE FROM twiceshy.vectors v USING unnest(unvectored_kinds, unvectored_docs) u(kind, doc)
            WHERE v.kind = u.kind AND v.doc = u.doc;
        DELETE FROM twiceshy.shorts s USING unnest(unvectored_kinds, unvectored_docs) u(kind, doc)
            WHERE s.kind = u.kind AND s.doc = u.doc;
    END IF;
    IF cardinality(vector_kinds) > 0 THEN
        -- Nobody changes the length of a kind's vectors until this is over, and what is read afterwards stays so.
        FOR place IN 1 .. cardinality(vector_kinds) LOOP
            IF place = 1 OR vector_kinds[place] <> vector_kinds[place - 1] THEN
                done := pg_advisory_xact_lock_shared(846424186, vector_kinds[place])::text;
            END IF;
        END LOOP;
        INSERT INTO twiceshy.vectors (memory, kind, doc, vector)
            SELECT in_memory, u.kind, CASE WHEN u.doc < 1024 THEN base + u.doc ELSE u.doc END, u.vector
            FROM unnest(vector_kinds, vector_docs, vectors) u(kind, doc, vector)
            JOIN twiceshy.kinds k ON k.kind = u.kind AND k.length = octet_length(u.vector) / 4;
        GET DIAGNOSTICS found = ROW_COUNT;
        IF found <> cardinality(vector_kinds) THEN
            RAISE EXCEPTION USING ERRCODE = 'serialization_failure', MESSAGE = 'vectors of another length came between';
        END IF;
    END IF;
    IF cardinality(shorts) > 0 THEN
        INSERT INTO twiceshy.shorts (memory, kind, doc, short, code)
            SELECT in_memory, u.kind, CASE WHEN u.doc < 1024 THEN base + u.doc ELSE u.doc END, u.short, u.code::varbit
            FROM unnest(vector_kinds, vector_docs, shorts, codes) u(kind, doc, short, code);
    END IF;
    IF 1024 <= ANY (fresh_docs) THEN
        INSERT INTO twiceshy.fresh AS f (memory, kind, doc, text, entries, has_vector)
            SELECT in_memory, u.kind, u.doc, u.text, u.entries::bytea[], u.has_vector
            FROM unnest(fresh_kinds, fresh_docs, fresh_texts, fresh_entries, fresh_vectors) u(kind, doc, text, entries, has_vector)
            WHERE u.doc >= 1024
            ON CONFLICT (kind, doc) DO UPDATE SET text = coalesce(excluded.text, f.text),
                entries = coalesce(f.entries, excluded.entries), has_vector = f.has_vector OR excluded.has_vector;
    END IF;
    IF 1024 > ANY (fresh_docs) THEN
        INSERT INTO twiceshy.fresh (memory, kind, doc, text, entries, has_vector)
            SELECT in_memory, u.kind, base + u.doc, u.text, u.entries::bytea[], u.has_vector
            FROM unnest(fresh_kinds, fresh_docs, fresh_texts, fresh_entries, fresh_vectors) u(kind, doc, text, entries, has_vector)
            WHERE u.doc < 1024;
    END IF;
    RETURN number;
END $$

-- The roles from which the current role inherits, and itself.
CREATE FUNCTION twiceshy.inherited_roles() RETURNS name[] LANGUAGE plpgsql STABLE SET search_path = pg_catalog AS $$
BEGIN
    RETURN ARRAY(
        WITH RECURSIVE own (role) AS (
            SELECT r.oid FROM pg_roles r WHERE r.rolname IN (current_user, 'pg_database_owner')
            UNION SELECT m.roleid FROM pg_auth_members m JOIN own ON m.member = own.role
        )
        SELECT r.rolname FROM own JOIN pg_roles r ON r.oid = own.role WHERE pg_has_role(r.oid, 'USAGE')
    );
END $$

-- Every statement of a role asks for its roles, several times. Most are members of no other, which takes half as long to see. All
-- names are whole, for a path of its own would take as long again.
CREATE OR REPLACE FUNCTION twiceshy.own_roles() RETURNS name[] LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF pg_catalog.pg_has_role('pg_database_owner', 'USAGE') OR EXISTS (SELECT FROM pg_catalog.pg_auth_members m
        WHERE m.member OPERATOR(pg_catalog.=) pg_catalog.to_regrole(pg_catalog.quote_ident(current_user))) THEN
        RETURN twiceshy.inherited_roles();
    END IF;
    RETURN ARRAY[current_user];
END $$

ALTER FUNCTION twiceshy.own_roles() RESET search_path

-- To count what memories with limits hold costs each commit as much as three rows, so it is counted while some memory has limits.
-- Whoever gives the first limits waits for the commits under way, and others wait for him, so that none is passed over.
CREATE FUNCTION twiceshy.count_if_limited() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    is_limited boolean := EXISTS (SELECT FROM twiceshy.memories WHERE most_documents IS NOT NULL OR most_bytes IS NOT NULL);
    is_counted boolean := EXISTS (SELECT FROM pg_trigger
        WHERE tgrelid = 'twiceshy.documents'::regclass AND tgname = 'count_new' AND tgenabled <> 'D');
BEGIN
    IF is_limited AND NOT is_counted THEN
        ALTER TABLE twiceshy.documents ENABLE TRIGGER USER;
    ELSIF is_counted AND NOT is_limited THEN
        ALTER TABLE twiceshy.documents DISABLE TRIGGER USER;
    END IF;
    RETURN NULL;
END $$

CREATE TRIGGER limits AFTER INSERT OR UPDATE OR DELETE ON twiceshy.memories
    FOR EACH STATEMENT EXECUTE FUNCTION twiceshy.count_if_limited()

UPDATE twiceshy.memories SET name = name WHERE false

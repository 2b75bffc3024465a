-- Names of attributes of which some document has, or once had, several values. Where there is one value at most, all
-- conditions on it are one piece of the index.
CREATE TABLE twiceshy.repeated (
    memory integer NOT NULL,
    kind integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    PRIMARY KEY (kind, name)
)

INSERT INTO twiceshy.repeated (memory, kind, name)
    SELECT DISTINCT memory, kind, convert_from(name, 'UTF8') FROM (
        SELECT d.memory, d.kind, d.doc, substring(e FROM 1 FOR position('\x00'::bytea IN e) - 1) AS name
        FROM twiceshy.documents d, unnest(d.entries) e GROUP BY 1, 2, 3, 4 HAVING count(*) > 1
    ) several

ALTER TABLE twiceshy.repeated ENABLE ROW LEVEL SECURITY

CREATE POLICY own ON twiceshy.repeated USING (memory = ANY (ARRAY(SELECT m.memory FROM twiceshy.memories m)))

CREATE POLICY own_kinds ON twiceshy.repeated AS RESTRICTIVE USING (true)
    WITH CHECK (kind = ANY (ARRAY(SELECT k.kind FROM twiceshy.kinds k)))

-- Gives a memory to a role, and limits to the memory if there are any. For the owner of the tables.
CREATE OR REPLACE FUNCTION twiceshy.admit(new_memory text, new_owner name, documents bigint DEFAULT NULL, bytes bigint DEFAULT NULL)
RETURNS integer LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
    number integer;
BEGIN
    INSERT INTO twiceshy.memories AS m (name, owner, most_documents, most_bytes) VALUES (new_memory, new_owner, documents, bytes)
        ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, most_documents = excluded.most_documents,
                                         most_bytes = excluded.most_bytes
        RETURNING m.memory INTO number;
    DELETE FROM twiceshy.usage u WHERE u.memory = number;
    INSERT INTO twiceshy.usage (memory, slot, documents, bytes)
        SELECT number, 0, count(*), coalesce(sum(octet_length(body)), 0) FROM twiceshy.documents d WHERE d.memory = number;
    EXECUTE format('GRANT USAGE ON SCHEMA twiceshy TO %I', new_owner);
    EXECUTE format('GRANT SELECT ON twiceshy.versions, twiceshy.memories, twiceshy.usage TO %I', new_owner);
    EXECUTE format('GRANT USAGE ON SEQUENCE twiceshy.arrivals TO %I', new_owner);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON twiceshy.kinds, twiceshy.documents, twiceshy.attributes,
        twiceshy.fresh, twiceshy.gone, twiceshy.totals, twiceshy.terms, twiceshy.postings, twiceshy.vectors,
        twiceshy.shorts, twiceshy.commits, twiceshy.archive, twiceshy.repeated TO %I', new_owner);
    RETURN number;
END $$

-- Roles that were admitted before need it as well.
DO $$
DECLARE
    role name;
BEGIN
    FOR role IN SELECT DISTINCT m.owner FROM twiceshy.memories m JOIN pg_roles r ON r.rolname = m.owner LOOP
        EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON twiceshy.repeated TO %I', role);
    END LOOP;
END $$

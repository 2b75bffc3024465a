CREATE SCHEMA twiceshy

CREATE TABLE twiceshy.versions (
    version integer PRIMARY KEY,
    made timestamptz NOT NULL DEFAULT now()
)

-- Numbers of commits: documents are numbered by the commit that brought them, and so in the order of their arrival.
CREATE SEQUENCE twiceshy.arrivals

-- `owner` is a role: members of it see the memory, nobody else does. Missing limits are no limits.
CREATE TABLE twiceshy.memories (
    memory integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    owner name NOT NULL DEFAULT current_user,
    most_documents bigint,
    most_bytes bigint
)

-- A number for each kind of each memory, and how long its vectors are, or once were.
CREATE TABLE twiceshy.kinds (
    kind integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    memory integer NOT NULL REFERENCES twiceshy.memories ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    length integer,
    UNIQUE (memory, name)
)

-- `entries` are the attributes, `body` the content with its terms, compressed by the program.
CREATE TABLE twiceshy.documents (
    memory integer NOT NULL,
    kind integer NOT NULL,
    id text COLLATE "C" NOT NULL,
    doc bigint PRIMARY KEY,
    version bigint NOT NULL,
    has_text boolean NOT NULL,
    has_vector boolean NOT NULL,
    entries bytea[] NOT NULL,
    body bytea NOT NULL,
    UNIQUE (kind, id)
)

ALTER TABLE twiceshy.documents ALTER COLUMN body SET STORAGE EXTERNAL

-- Documents by their attributes.
CREATE TABLE twiceshy.attributes (
    memory integer NOT NULL,
    kind integer NOT NULL,
    entry bytea NOT NULL,
    doc bigint NOT NULL,
    PRIMARY KEY (kind, entry, doc)
)

-- Texts that are in no list of a term yet.
CREATE TABLE twiceshy.fresh (
    memory integer NOT NULL,
    kind integer NOT NULL,
    doc bigint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (kind, doc)
)

-- Texts that are in lists of terms and should not be.
CREATE TABLE twiceshy.gone (
    memory integer NOT NULL,
    kind integer NOT NULL,
    doc bigint NOT NULL,
    text text NOT NULL,
    PRIMARY KEY (kind, doc)
)

-- How many texts a kind has, and how many terms they have together: the sum over all slots. A process writes to one of
-- them, so that processes seldom wait for each other.
CREATE TABLE twiceshy.totals (
    memory integer NOT NULL,
    kind integer NOT NULL,
    slot integer NOT NULL,
    texts bigint NOT NULL,
    tokens bigint NOT NULL,
    PRIMARY KEY (kind, slot)
) WITH (fillfactor = 50)

-- How many documents have a term, how many full blocks its list has, and the end of the list.
CREATE TABLE twiceshy.terms (
    memory integer NOT NULL,
    kind integer NOT NULL,
    term bytea NOT NULL,
    documents bigint NOT NULL,
    sealed integer NOT NULL,
    tail bytea NOT NULL,
    PRIMARY KEY (kind, term)
) WITH (fillfactor = 80)

-- The full blocks of lists.
CREATE TABLE twiceshy.postings (
    memory integer NOT NULL,
    kind integer NOT NULL,
    term bytea NOT NULL,
    block integer NOT NULL,
    entries bytea NOT NULL,
    PRIMARY KEY (kind, term, block)
)

CREATE TABLE twiceshy.vectors (
    memory integer NOT NULL,
    kind integer NOT NULL,
    doc bigint NOT NULL,
    vector bytea NOT NULL,
    PRIMARY KEY (kind, doc)
)

-- Short forms of vectors: a byte for each component, and a bit for each.
CREATE TABLE twiceshy.shorts (
    memory integer NOT NULL,
    kind integer NOT NULL,
    doc bigint NOT NULL,
    short bytea NOT NULL,
    code bit varying NOT NULL,
    PRIMARY KEY (kind, doc)
)

-- Commits that were made: whoever lost the answer finds it here.
CREATE TABLE twiceshy.commits (
    memory integer NOT NULL,
    id bytea CONSTRAINT commits_pkey PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
)

-- Large and cold contents.
CREATE TABLE twiceshy.archive (
    memory integer NOT NULL,
    name text COLLATE "C" NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (memory, name)
)

ALTER TABLE twiceshy.archive ALTER COLUMN content SET STORAGE EXTERNAL

-- What a memory with limits holds: the sum over all slots. Only the function below writes it.
CREATE TABLE twiceshy.usage (
    memory integer NOT NULL,
    slot integer NOT NULL,
    documents bigint NOT NULL,
    bytes bigint NOT NULL,
    PRIMARY KEY (memory, slot)
) WITH (fillfactor = 50)

-- Counts what a statement changes in memories with limits, and refuses what is beyond them.
CREATE FUNCTION twiceshy.count_documents() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
    change record;
    held record;
BEGIN
    IF NOT EXISTS (SELECT FROM twiceshy.memories WHERE most_documents IS NOT NULL OR most_bytes IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    FOR change IN EXECUTE
        CASE TG_OP
            WHEN 'INSERT' THEN 'SELECT memory, count(*) AS documents, sum(octet_length(body)) AS bytes FROM after GROUP BY memory'
            WHEN 'DELETE' THEN 'SELECT memory, -count(*) AS documents, -sum(octet_length(body)) AS bytes FROM before GROUP BY memory'
            ELSE 'SELECT memory, sum(documents) AS documents, sum(bytes) AS bytes FROM
                    (SELECT memory, 1 AS documents, octet_length(body) AS bytes FROM after
                     UNION ALL SELECT memory, -1, -octet_length(body) FROM before) both_of_them GROUP BY memory'
        END
    LOOP
        IF EXISTS (SELECT FROM twiceshy.memories m WHERE m.memory = change.memory
                   AND (most_documents IS NOT NULL OR most_bytes IS NOT NULL)) THEN
            INSERT INTO twiceshy.usage AS u (memory, slot, documents, bytes)
                VALUES (change.memory, pg_backend_pid() % 16, change.documents, change.bytes)
                ON CONFLICT (memory, slot) DO UPDATE
                SET documents = u.documents + excluded.documents, bytes = u.bytes + excluded.bytes;
            SELECT m.name, m.most_documents, m.most_bytes, sum(u.documents) AS documents, sum(u.bytes) AS bytes INTO held
                FROM twiceshy.memories m JOIN twiceshy.usage u USING (memory) WHERE m.memory = change.memory
                GROUP BY m.memory;
            IF change.documents > 0 AND held.documents > held.most_documents THEN
                RAISE EXCEPTION USING ERRCODE = 'configuration_limit_exceeded',
                    MESSAGE = format('the memory %s may hold %s documents and has no room for more', held.name, held.most_documents);
            END IF;
            IF change.bytes > 0 AND held.bytes > held.most_bytes THEN
                RAISE EXCEPTION USING ERRCODE = 'configuration_limit_exceeded',
                    MESSAGE = format('the memory %s may hold %s bytes and has no room for more', held.name, held.most_bytes);
            END IF;
        END IF;
    END LOOP;
    RETURN NULL;
END $$

CREATE TRIGGER count_new AFTER INSERT ON twiceshy.documents REFERENCING NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION twiceshy.count_documents()

CREATE TRIGGER count_changed AFTER UPDATE ON twiceshy.documents REFERENCING OLD TABLE AS before NEW TABLE AS after
    FOR EACH STATEMENT EXECUTE FUNCTION twiceshy.count_documents()

CREATE TRIGGER count_removed AFTER DELETE ON twiceshy.documents REFERENCING OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION twiceshy.count_documents()

-- A role sees the rows of its own memories, and can write no others: the inner question is asked in its name.
DO $$
DECLARE
    name text;
BEGIN
    FOREACH name IN ARRAY ARRAY['kinds', 'documents', 'attributes', 'fresh', 'gone', 'totals', 'terms', 'postings',
                                'vectors', 'shorts', 'commits', 'archive', 'usage'] LOOP
        EXECUTE format('ALTER TABLE twiceshy.%I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY own ON twiceshy.%I USING (memory = ANY (ARRAY(SELECT m.memory FROM twiceshy.memories m)))', name);
    END LOOP;
    -- Nor rows of its own under a kind of another's.
    FOREACH name IN ARRAY ARRAY['documents', 'attributes', 'fresh', 'gone', 'totals', 'terms', 'postings', 'vectors', 'shorts'] LOOP
        EXECUTE format('CREATE POLICY own_kinds ON twiceshy.%I AS RESTRICTIVE USING (true)
                        WITH CHECK (kind = ANY (ARRAY(SELECT k.kind FROM twiceshy.kinds k)))', name);
    END LOOP;
    ALTER TABLE twiceshy.memories ENABLE ROW LEVEL SECURITY;
    CREATE POLICY own ON twiceshy.memories FOR SELECT USING (pg_has_role(owner, 'USAGE'));
END $$

-- Gives a memory to a role, and limits to the memory if there are any. For the owner of the tables.
CREATE FUNCTION twiceshy.admit(new_memory text, new_owner name, documents bigint DEFAULT NULL, bytes bigint DEFAULT NULL)
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
        twiceshy.shorts, twiceshy.commits, twiceshy.archive TO %I', new_owner);
    RETURN number;
END $$

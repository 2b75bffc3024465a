-- Memories with limits, which every change of documents asks for: without it the server looks through all memories each time.
CREATE INDEX memories_limited ON twiceshy.memories (memory) WHERE most_documents IS NOT NULL OR most_bytes IS NOT NULL

-- The roles whose memories the current role sees: itself, and those of which it is a member. Every statement of a role that does
-- not own the tables asks for them, so they are looked up from below: to ask of each memory whether its owner is one of them takes
-- as long as there are memories.
CREATE FUNCTION twiceshy.own_roles() RETURNS name[] LANGUAGE plpgsql STABLE SET search_path = pg_catalog AS $$
BEGIN
    RETURN ARRAY(
        WITH RECURSIVE own (role) AS (
            SELECT r.oid FROM pg_roles r WHERE r.rolname IN (current_user, 'pg_database_owner')
            UNION SELECT m.roleid FROM pg_auth_members m JOIN own ON m.member = own.role
        )
        SELECT r.rolname FROM own JOIN pg_roles r ON r.oid = own.role WHERE pg_has_role(r.oid, 'USAGE')
    );
END $$

CREATE INDEX memories_owner ON twiceshy.memories (owner)

ALTER POLICY own ON twiceshy.memories USING (owner = ANY (ARRAY(SELECT unnest(twiceshy.own_roles()))))

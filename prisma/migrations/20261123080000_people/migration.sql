-- People sign in, accounts pay; a membership lets a person act for an account
-- (docs/decisions/0054-people-and-accounts.md).
CREATE TABLE person (
  id serial PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email)),
  -- When the e-mail address was verified.
  email_verified_at timestamptz(3),
  -- Argon2id; null for a person without a password.
  password_hash text,
  -- Sessions store the version of their sign-in; a new version ends them all.
  session_version integer NOT NULL DEFAULT 1,
  -- What the person may do in the operator's console.
  hub_role text CHECK (hub_role IN ('operator', 'auditor')),
  created_at timestamptz(3) NOT NULL
);
CREATE TABLE membership (
  account_id integer NOT NULL REFERENCES account,
  person_id integer NOT NULL REFERENCES person,
  role text NOT NULL CHECK (role IN ('owner', 'billing', 'developer', 'viewer')),
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (account_id, person_id)
);
CREATE INDEX membership_by_person ON membership (person_id);

-- Every account so far is of one person, who owns it and has the same id.
INSERT INTO person (id, email, email_verified_at, password_hash, session_version, created_at)
SELECT id, email, email_verified_at, password_hash, session_version, created_at FROM account;
INSERT INTO membership (account_id, person_id, role, created_at) SELECT id, id, 'owner', created_at FROM account;
SELECT setval('person_id_seq', (SELECT max(id) FROM person)) WHERE EXISTS (SELECT FROM person);

-- `version` stays the account's session_version, which a suspension raises.
ALTER TABLE session ADD COLUMN person_id integer REFERENCES person, ADD COLUMN person_version integer;
UPDATE session SET person_id = account_id, person_version = version;
ALTER TABLE session ALTER COLUMN person_id SET NOT NULL, ALTER COLUMN person_version SET NOT NULL;
CREATE INDEX session_by_person ON session (person_id);

ALTER TABLE identity ADD COLUMN person_id integer REFERENCES person, ALTER COLUMN account_id DROP NOT NULL;
UPDATE identity SET person_id = account_id;
ALTER TABLE identity ALTER COLUMN person_id SET NOT NULL;
CREATE INDEX identity_by_person ON identity (person_id);

ALTER TABLE password_reset ADD COLUMN person_id integer REFERENCES person;
UPDATE password_reset SET person_id = account_id;
ALTER TABLE password_reset DROP CONSTRAINT password_reset_pkey, ADD PRIMARY KEY (person_id);
ALTER TABLE password_reset ALTER COLUMN account_id DROP NOT NULL, ADD UNIQUE (account_id);

-- Who created a key, or allowed an app; null for a key of the command line.
ALTER TABLE api_key ADD COLUMN person_id integer REFERENCES person;
UPDATE api_key SET person_id = account_id;
CREATE INDEX api_key_by_person ON api_key (person_id, account_id);
ALTER TABLE connection ADD COLUMN person_id integer REFERENCES person;
UPDATE connection SET person_id = account_id;

-- While processes of version 0.2 still run, they know accounts alone. What they write is copied to the people.
CREATE FUNCTION name_owner_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.person_id IS NULL THEN
    SELECT person_id INTO NEW.person_id FROM membership
    WHERE account_id = NEW.account_id AND role = 'owner' ORDER BY person_id LIMIT 1;
  END IF;
  RETURN NEW;
END $$;
CREATE FUNCTION name_owner_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.person_id IS NULL THEN
    SELECT p.id, p.session_version INTO NEW.person_id, NEW.person_version FROM membership m JOIN person p ON p.id = m.person_id
    WHERE m.account_id = NEW.account_id AND m.role = 'owner' ORDER BY p.id LIMIT 1;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER name_owner_of_session BEFORE INSERT ON session FOR EACH ROW EXECUTE FUNCTION name_owner_of_session();
CREATE TRIGGER name_owner_of_identity BEFORE INSERT ON identity FOR EACH ROW EXECUTE FUNCTION name_owner_of_account();
CREATE TRIGGER name_owner_of_reset BEFORE INSERT ON password_reset FOR EACH ROW EXECUTE FUNCTION name_owner_of_account();

-- At the end of its transaction every account has an owner.
CREATE FUNCTION create_owner_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  owner_id integer;
BEGIN
  IF EXISTS (SELECT FROM membership WHERE account_id = NEW.id) THEN
    RETURN NULL;
  END IF;
  INSERT INTO person (email, email_verified_at, password_hash, session_version, created_at)
  VALUES (NEW.email, NEW.email_verified_at, NEW.password_hash, NEW.session_version, NEW.created_at)
  ON CONFLICT (email) DO UPDATE SET email = excluded.email RETURNING id INTO owner_id;
  INSERT INTO membership (account_id, person_id, role, created_at) VALUES (NEW.id, owner_id, 'owner', NEW.created_at);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER create_owner_of_account AFTER INSERT ON account DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION create_owner_of_account();

CREATE FUNCTION copy_access_to_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE person SET password_hash = NEW.password_hash, session_version = session_version + 1,
                    email_verified_at = coalesce(email_verified_at, NEW.email_verified_at)
  WHERE email = NEW.email;
  RETURN NULL;
END $$;
CREATE TRIGGER copy_access_to_owner AFTER UPDATE OF password_hash, email_verified_at ON account FOR EACH ROW
  WHEN (NEW.password_hash IS DISTINCT FROM OLD.password_hash OR NEW.email_verified_at IS DISTINCT FROM OLD.email_verified_at)
  EXECUTE FUNCTION copy_access_to_owner();

-- An account without an owner could be managed by nobody.
CREATE FUNCTION reject_account_without_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM account WHERE id = OLD.account_id FOR NO KEY UPDATE;
  IF NOT EXISTS (SELECT FROM membership WHERE account_id = OLD.account_id AND role = 'owner') THEN
    RAISE EXCEPTION 'account % would have no owner', OLD.account_id USING ERRCODE = 'check_violation', CONSTRAINT = 'membership_has_owner';
  END IF;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER reject_account_without_owner AFTER UPDATE OR DELETE ON membership DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (OLD.role = 'owner') EXECUTE FUNCTION reject_account_without_owner();

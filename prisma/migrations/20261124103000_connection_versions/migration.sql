-- The session versions of the person and the account at the consent: whatever ends the person's sessions ends the code too.
-- Older rows have none; their codes expire within a minute.
ALTER TABLE connection ADD COLUMN person_version integer, ADD COLUMN account_version integer;

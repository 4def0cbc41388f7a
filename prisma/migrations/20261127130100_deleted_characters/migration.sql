-- A deleted character keeps its row for the generations that refer to it, and nothing that says who it is.
UPDATE character SET name = '', trigger_word = NULL, images = '{}', parameters = '{}' WHERE deleted_at IS NOT NULL;
UPDATE generation g SET checkpoint = NULL FROM character c
WHERE g.character_id = c.id AND c.deleted_at IS NOT NULL AND g.erased_at IS NOT NULL AND g.checkpoint IS NOT NULL;

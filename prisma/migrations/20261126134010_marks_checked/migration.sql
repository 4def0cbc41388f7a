ALTER TABLE file VALIDATE CONSTRAINT file_mark_is_known;

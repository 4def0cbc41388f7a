ALTER TABLE attempt VALIDATE CONSTRAINT attempt_reason_is_known;

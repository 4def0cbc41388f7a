-- What is known of an output's mark (docs/provenance.md); null for an upload, and for outputs that were stored before.
ALTER TABLE file
  ADD COLUMN mark text,
  ADD CONSTRAINT file_mark_is_known CHECK (mark IN (
    'xmp', 'maker_c2pa', 'maker_xmp', 'unsupported_format', 'unreadable', 'model_exempt', 'disabled')) NOT VALID;

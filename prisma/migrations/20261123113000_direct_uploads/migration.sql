-- Uploads that clients send straight to the bucket. Until one is completed or expires, its size counts toward the quota.
CREATE TABLE direct_upload (
  id uuid PRIMARY KEY,
  account_id integer NOT NULL REFERENCES account,
  key_id uuid REFERENCES api_key,
  size bigint NOT NULL,
  sha256 bytea NOT NULL,
  name text,
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  file_id uuid REFERENCES file,
  CONSTRAINT direct_upload_file_id_key UNIQUE (file_id),
  CONSTRAINT direct_upload_size_is_possible CHECK (size BETWEEN 1 AND 5368709120),
  CONSTRAINT direct_upload_sha256_is_whole CHECK (octet_length(sha256) = 32),
  CONSTRAINT direct_upload_name_is_short CHECK (char_length(name) BETWEEN 1 AND 200)
);
CREATE INDEX direct_upload_expires_at ON direct_upload (expires_at);

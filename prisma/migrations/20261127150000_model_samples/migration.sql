-- Sample pictures of models, which operators choose for the gallery of models and the home page.
CREATE TABLE model_sample (
  id uuid PRIMARY KEY,
  model text NOT NULL,
  picture bytea NOT NULL,
  on_home boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL,
  CONSTRAINT model_sample_picture_is_small CHECK (octet_length(picture) BETWEEN 1 AND 524288)
);
CREATE INDEX model_sample_by_model ON model_sample (model, id);

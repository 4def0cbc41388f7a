-- What /v1/videos shows of a request besides the generation; null for every other generation and once the video is deleted.
ALTER TABLE generation ADD COLUMN video jsonb;

/** The ratio of the times of a bucket to those of the bucket before. */
export const BUCKET_FACTOR = 1.2;

/** Returns the middle of a bucket in milliseconds; null without one. */
export const toMs = (bucket: number | null): number | null =>
  bucket === null ? null : Math.round(BUCKET_FACTOR ** (bucket - 0.5));

export const FAL_KEY = "test-key-0123456789";

/** A PNG of one pixel. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** Returns a model's error, which repeats the input. */
export const describeInvalid = (field: string, type = "value_error", msg = "field is not valid") => ({
  detail: [{ loc: ["body", field], msg, type, url: "https://docs.fal.ai/errors", input: "SECRET INPUT" }],
});

/** Returns an error of fal's infrastructure. */
export const describeOutage = (status: number, error_type = "internal_error") => ({
  detail: `Failed with status ${status} for the key ${FAL_KEY}`,
  error_type,
});

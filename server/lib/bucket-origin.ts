/** Returns the origin at which browsers reach the bucket of these environment variables; null without one. */
export function findBucketOrigin(settings: Record<string, string | undefined>): string | null {
  const {
    STORAGE_S3_BUCKET: bucket,
    STORAGE_S3_REGION: region = "us-east-1",
    STORAGE_S3_ENDPOINT: endpoint,
  } = settings;
  if (!bucket) return null;
  const { protocol, host } = new URL(endpoint || `https://s3.${region}.amazonaws.com`);
  return settings.STORAGE_S3_FORCE_PATH_STYLE === "on" ? `${protocol}//${host}` : `${protocol}//${bucket}.${host}`;
}

/**
 * Returns issues with FILES_REDIRECT: it needs a bucket at an origin of its own, because a bucket cannot send the
 * policy that the hub sends with files.
 */
export function findRedirectIssues(present: Record<string, string | undefined>): string[] {
  if (present.FILES_REDIRECT !== "on") return [];
  const origin = findBucketOrigin(present);
  if (origin === null) return ["FILES_REDIRECT: needs STORAGE_S3_BUCKET"];
  const { BASE_URL: base } = present;
  const isOwn = base !== undefined && URL.canParse(base) && new URL(base).origin === origin;
  return isOwn ? ["FILES_REDIRECT: needs a bucket at another origin than BASE_URL"] : [];
}

import type { Env } from "../env";

/** Returns what libraries and Next's side of the process read from the environment by themselves, as they load. */
export const libraryEnv = (env: Env, dev: boolean) => ({
  NODE_ENV: dev ? ("development" as const) : ("production" as const),
  NEXT_TELEMETRY_DISABLED: "1",
  NEXTAUTH_URL: env.BASE_URL,
  // Inngest's SDK would take `off` for the address of a dev server.
  INNGEST_DEV: env.INNGEST_DEV ?? "0",
  // The policy of pages (proxy.ts) has the origin of the bucket, whose settings may come from files.
  FILES_REDIRECT: env.FILES_REDIRECT,
  STORAGE_S3_BUCKET: env.STORAGE_S3_BUCKET,
  STORAGE_S3_REGION: env.STORAGE_S3_REGION,
  STORAGE_S3_ENDPOINT: env.STORAGE_S3_ENDPOINT,
  STORAGE_S3_FORCE_PATH_STYLE: env.STORAGE_S3_FORCE_PATH_STYLE,
});

import type { Env } from "../env";

/** Sets what libraries read from the environment by themselves, as they load. */
export function setLibraryEnv(env: Env, dev: boolean): void {
  Object.assign(process.env, {
    NODE_ENV: dev ? "development" : "production",
    NEXT_TELEMETRY_DISABLED: "1",
    NEXTAUTH_URL: env.BASE_URL,
    // Inngest's SDK would take `off` for the address of a dev server.
    INNGEST_DEV: env.INNGEST_DEV ?? "0",
  });
}

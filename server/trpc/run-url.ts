import type { Env } from "../env";

/** Returns the page of a run in Inngest's dashboard; null when the settings name none, or no server has run it. */
export function formatRunUrl(env: Pick<Env, "inngest" | "INNGEST_DASHBOARD_URL">, runId: string | null): string | null {
  const { inngest, INNGEST_DASHBOARD_URL: dashboard } = env;
  if (!inngest || !dashboard || !runId) return null;
  const id = encodeURIComponent(runId);
  return dashboard.includes("{run}")
    ? dashboard.replaceAll("{run}", id)
    : `${dashboard.replace(/\/+$/, "")}/run?runID=${id}`;
}

const ms = (from: string, to: string) => `floor(extract(epoch FROM ${to} - ${from}) * 1000)::bigint`;

// The estimate covers so much.
const MOST = "(g.price->>'most_seconds')::bigint * 1000";

/**
 * SQL: the GPU time of the leased generation `g` in ms, once its worker has reported `reported` ms (or NULL) for the
 * newest lease at `now`. It only grows, and passes neither the time that the server saw under leases nor the estimate.
 */
export const reportedGpuMsSql = (reported: string, now: string): string =>
  `greatest(g.gpu_ms, least(g.gpu_ms_before + least(coalesce(${reported}, 0), ${ms("g.leased_at", now)}), ${MOST}))`;

/** SQL: up to when the GPU time is known at `now`; nothing counts behind the end of a lease, and NULL without one. */
export const meteredAtSql = (now: string): string =>
  `CASE WHEN g.fence > 0 THEN greatest(g.metered_at, least(${now}, g.lease_expires_at)) END`;

/** SQL: the same for an end at `now` of which the worker does not know: its last report and the time since. */
const elapsedSql = (now: string): string =>
  `greatest(g.gpu_ms, least(g.gpu_ms + ${ms("g.metered_at", meteredAtSql(now))}, ${MOST}))`;

/** SQL: the GPU time in ms for which `g` pays when it ends as `to`; 0 for what no worker ever had. */
export const finalGpuMsSql = ({ to, reported, now }: Record<"to" | "reported" | "now", string>): string => `
  CASE WHEN g.fence = 0 OR g.status <> 'running' THEN g.gpu_ms
       WHEN ${to} = 'canceled' THEN ${elapsedSql(now)}
       ELSE ${reportedGpuMsSql(reported, now)} END`;

/** SQL: the price of so much GPU time in nano-euros, rounded up once. */
export const gpuCostSql = (gpuMs: string): string =>
  `ceil((g.price->>'price_per_second')::numeric * 1000000 * ${gpuMs})::bigint`;

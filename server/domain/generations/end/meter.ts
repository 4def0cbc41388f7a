/** Returns SQL for the milliseconds between two timestamps. */
const elapsedMsSql = (from: string, to: string) => `floor(extract(epoch FROM ${to} - ${from}) * 1000)::bigint`;

// The GPU time that the estimate covers.
const maxGpuMsSql = "(g.price->>'most_seconds')::bigint * 1000";

/**
 * Returns SQL for the GPU time of the leased generation `g` in ms, after its worker reported `reported` ms (or NULL) for
 * the newest lease at `now`. It never decreases, and exceeds neither the time under leases nor the estimate.
 */
export const reportedGpuMsSql = (reported: string, now: string): string =>
  `greatest(g.gpu_ms, least(g.gpu_ms_before_lease + least(coalesce(${reported}, 0), ${elapsedMsSql("g.leased_at", now)}), ${maxGpuMsSql}))`;

/** Returns SQL for the time up to which GPU time is metered at `now`, at most the end of the lease; NULL without one. */
export const meteredAtSql = (now: string): string =>
  `CASE WHEN g.fence > 0 THEN greatest(g.metered_at, least(${now}, g.lease_expires_at)) END`;

/** Returns SQL for the GPU time in ms when the generation ends without a report: the last report plus the time since. */
const estimatedGpuMsSql = (now: string): string =>
  `greatest(g.gpu_ms, least(g.gpu_ms + ${elapsedMsSql("g.metered_at", meteredAtSql(now))}, ${maxGpuMsSql}))`;

/** Returns SQL for the GPU time in ms that is billed when `g` ends as `to`; 0 when no worker ever leased it. */
export const finalGpuMsSql = ({ to, reported, now }: Record<"to" | "reported" | "now", string>): string => `
  CASE WHEN g.fence = 0 OR g.status <> 'running' THEN g.gpu_ms
       WHEN ${to} = 'canceled' THEN ${estimatedGpuMsSql(now)}
       ELSE ${reportedGpuMsSql(reported, now)} END`;

// What the account's book makes of the price; 1 without a book.
const factorSql =
  "coalesce((g.price #>> '{book,multiplier}')::numeric, 1) * (1 - coalesce((g.price #>> '{book,discount}')::numeric, 0))";

/** Returns SQL for the price of GPU time in nano-euros, rounded up once. */
export const gpuCostSql = (gpuMs: string): string =>
  `ceil((g.price->>'price_per_second')::numeric * ${factorSql} * 1000000 * ${gpuMs})::bigint`;

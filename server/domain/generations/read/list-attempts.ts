import type { Ctx } from "../../../context";
import type { Exposure } from "../../../env";
import { toEurosOrNull } from "../../../lib/money";
import type { AttemptOutcome, PassedOverRoute, RouteReason } from "../attempts";
import { getStoredGeneration } from "./get";
import type { ReadHub } from "./hub";

const listedColumns = {
  id: true,
  n: true,
  route: true,
  provider: true,
  reason: true,
  startedAt: true,
  endedAt: true,
  firstTokenMs: true,
  outcome: true,
  upstreamStatus: true,
  reportedAt: true,
  cost: true,
  passedOver: true,
} as const;

/** Returns the attempts of the account's generation, oldest first. Throws 404 like `getStoredGeneration`. */
export async function listAttempts(ctx: Ctx<ReadHub>, id: string) {
  await getStoredGeneration(ctx, id);
  return ctx.hub.db.prisma.attempt.findMany({
    where: { generationId: id, generation: { accountId: ctx.account.id } },
    orderBy: { n: "asc" },
    select: listedColumns,
  });
}

type Attempt = Awaited<ReturnType<typeof listAttempts>>[number];

/** An attempt in the API, or a route that was passed over before one. */
interface ListedAttempt {
  id: string;
  /** Null, like the provider, the reason and the cost, if customers see only times. */
  route: string | null;
  provider: string | null;
  /** Why the route was tried; null for workers and routes that were passed over. */
  reason: RouteReason | null;
  started_at: string;
  ended_at: string | null;
  /** Only for a streamed chat that had a first token. */
  first_token_ms?: number;
  outcome: AttemptOutcome | "skipped" | null;
  /** Why the route was passed over. */
  skipped?: PassedOverRoute["skipped"];
  upstream_status: number | null;
  /** EUR. */
  cost: number | null;
  /** When upstream reported on an attempt that was given up as lost; its result was not delivered. */
  late_report_at?: string;
}

/**
 * Returns the API representation of a generation's attempts, each after the routes that were passed over for it, as far as
 * `exposure` shows them.
 */
export function serializeAttempts(attempts: Attempt[], exposure: Exposure): ListedAttempt[] {
  if (exposure === "off") return [];
  const listed = attempts.flatMap((attempt) => [...serializePassedOver(attempt), serializeAttempt(attempt)]);
  return exposure === "full" ? listed : listed.map((one) => ({ ...one, ...hidden }));
}

const hidden = { route: null, provider: null, reason: null, cost: null };

const serializeAttempt = (attempt: Attempt): ListedAttempt => ({
  ...findLateReport(attempt),
  id: attempt.id,
  route: attempt.route,
  provider: attempt.provider,
  reason: attempt.reason as RouteReason | null,
  started_at: attempt.startedAt.toISOString(),
  ended_at: attempt.endedAt?.toISOString() ?? null,
  ...(attempt.firstTokenMs !== null && { first_token_ms: attempt.firstTokenMs }),
  outcome: attempt.outcome as AttemptOutcome | null,
  upstream_status: attempt.upstreamStatus,
  cost: toEurosOrNull(attempt.cost),
});

const findLateReport = ({ outcome, endedAt, reportedAt }: Attempt) =>
  outcome === "lost" && endedAt && reportedAt && reportedAt > endedAt
    ? { late_report_at: reportedAt.toISOString() }
    : undefined;

const serializePassedOver = ({ passedOver, startedAt }: Attempt): ListedAttempt[] =>
  ((passedOver ?? []) as unknown as PassedOverRoute[]).map(({ id, route, provider, skipped }) => ({
    id,
    route,
    provider,
    reason: null,
    outcome: "skipped",
    skipped,
    upstream_status: null,
    cost: null,
    started_at: startedAt.toISOString(),
    ended_at: startedAt.toISOString(),
  }));

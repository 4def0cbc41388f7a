import type { Ctx } from "../../context";
import { toEurosOrNull } from "../../lib/money";
import type { AttemptOutcome } from "./attempts";
import { getStoredGeneration } from "./get";

const listedColumns = {
  n: true,
  route: true,
  provider: true,
  startedAt: true,
  endedAt: true,
  outcome: true,
  upstreamStatus: true,
  cost: true,
} as const;

/** Returns the attempts of the account's generation, oldest first. Throws 404 like `getStoredGeneration`. */
export async function listAttempts(ctx: Ctx, id: string) {
  await getStoredGeneration(ctx, id);
  return ctx.hub.db.prisma.attempt.findMany({
    where: { generationId: id, generation: { accountId: ctx.account.id } },
    orderBy: { n: "asc" },
    select: listedColumns,
  });
}

type Attempt = Awaited<ReturnType<typeof listAttempts>>[number];

/** Returns the API representation of an attempt. */
export const serializeAttempt = ({ route, provider, startedAt, endedAt, outcome, upstreamStatus, cost }: Attempt) => ({
  route,
  provider,
  started_at: startedAt.toISOString(),
  ended_at: endedAt?.toISOString() ?? null,
  outcome: outcome as AttemptOutcome | null,
  upstream_status: upstreamStatus,
  cost: toEurosOrNull(cost),
});

import type { Ctx, HubParts, Permission } from "../../context";
import { type EndpointsHub, listEndpoints, listFailingEndpoints } from "../endpoints";
import { listStoredGenerations, type ReadHub } from "../generations/read";
import { countDaysLeft, getPace, type LedgerHub, type Pace, PACE_DAYS } from "../ledger";
import { toEuros } from "../../lib/money";
import { type Key, listKeys } from "../keys";
import { isPermitted } from "../people";

/** The parts of the hub that the overview uses. */
export type OverviewHub = Pick<HubParts, "now"> & EndpointsHub & ReadHub & LedgerHub;

const DAY_MS = 86_400_000;
/** How long before its expiry a key causes a warning. */
const EXPIRY_WARNING_DAYS = 7;
/** Share of its spend limit from which a key causes a warning. */
const KEY_LIMIT_WARNING_SHARE = 0.8;

/** A condition that blocks an account, or soon will. */
export type Warning =
  | { kind: "no_credit" }
  /** Days until the credit is used up at the average spend of the last `PACE_DAYS` days. */
  | { kind: "low_credit"; days_left: number }
  | { kind: "failing_webhook"; id: string; url: string; status: number | null; at: string }
  | { kind: "key_limit"; id: string; name: string; spent: number; spend_limit: number; reset: Key["spend_limit_reset"] }
  | { kind: "key_expiry"; id: string; name: string; expires_at: string }
  | { kind: "awaiting_files" };

/** The permission to see what a warning is about. Without credit nobody can run anything, so that is for everybody. */
const accessTo: Record<Warning["kind"], Permission> = {
  no_credit: "self",
  low_credit: "billing",
  failing_webhook: "read",
  key_limit: "read",
  key_expiry: "read",
  awaiting_files: "read",
};

/** Returns which setup steps the account has completed, and its warnings for the actor, the most urgent first. */
export async function getAccountWarnings(
  ctx: Ctx<OverviewHub>,
): Promise<{ has: { key: boolean; webhook: boolean }; warnings: Warning[] }> {
  const [keys, endpoints, failing, awaiting, pace] = await Promise.all([
    listKeys(ctx),
    listEndpoints(ctx),
    listFailingEndpoints(ctx),
    listStoredGenerations(ctx, { limit: 1, status: "awaiting_supply" }),
    getPace(ctx),
  ]);
  const active = keys.filter(
    ({ revoked_at, expires_at }) => !revoked_at && !(expires_at && expires_at <= ctx.hub.now()),
  );
  const warnings: Warning[] = [
    ...getCreditWarnings(ctx.account.balance - ctx.account.reserved, pace),
    ...failing.map(({ at, ...endpoint }) => ({
      kind: "failing_webhook" as const,
      ...endpoint,
      at: at.toISOString(),
    })),
    ...active.flatMap((key) => getKeyWarnings(key, ctx.hub.now())),
    ...(awaiting.data.length > 0 ? [{ kind: "awaiting_files" as const }] : []),
  ];
  return {
    has: { key: active.length > 0, webhook: endpoints.some(({ revoked_at }) => revoked_at === null) },
    warnings: warnings.filter(({ kind }) => isPermitted(ctx.actor, accessTo[kind])),
  };
}

function getCreditWarnings(available: bigint, pace: Pace): Warning[] {
  if (available <= 0n) return [{ kind: "no_credit" }];
  const days = countDaysLeft(available, pace);
  return days === null || days >= PACE_DAYS ? [] : [{ kind: "low_credit", days_left: days }];
}

function getKeyWarnings({ id, name, spent, spend_limit, spend_limit_reset, expires_at }: Key, now: Date): Warning[] {
  const warnings: Warning[] = [];
  if (spend_limit !== null && Number(spent) >= KEY_LIMIT_WARNING_SHARE * Number(spend_limit)) {
    warnings.push({
      kind: "key_limit",
      id,
      name,
      spent: toEuros(spent),
      spend_limit: toEuros(spend_limit),
      reset: spend_limit_reset,
    });
  }
  if (expires_at && expires_at.getTime() < now.getTime() + EXPIRY_WARNING_DAYS * DAY_MS) {
    warnings.push({ kind: "key_expiry", id, name, expires_at: expires_at.toISOString() });
  }
  return warnings;
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx, Hub } from "../../context";
import { waitForDurability } from "../../db/durability";
import { AppError } from "../../errors";
import type { ClientRequest } from "./client-request";
import { findOpenChats } from "./connection";
import { findInFlight } from "./in-flight";
import {
  claimJoinable,
  consumeClaim,
  type JoinClaim,
  type Joined,
  readJoined,
  releaseClaim,
  RENEW_CLAIM_MS,
  renewClaim,
} from "./joinable";
import { trackWrite } from "./pending-writes";
import { chatError } from "./chat-error";

const MAX_WAIT_FOR_OPEN_MS = 1_000;
const LOOK_INTERVAL_MS = 50;
/** For a chat that another process runs. */
const POLL_INTERVAL_MS = 500;

const abandoned = () => new AppError("generation_in_progress", "The client left while it waited for an earlier chat.");

/**
 * Returns what the request that this one repeats was answered, waiting for its end, or null when there is none whose
 * client left. A failure is thrown like the first one's. One that is still open is waited for a moment: its client may
 * have left without the hub knowing yet (docs/decisions/0019-sdk-retries.md).
 */
export async function joinEarlier(ctx: Ctx, request: ClientRequest): Promise<string | null> {
  const client = watch(request);
  for (const until = performance.now() + MAX_WAIT_FOR_OPEN_MS; ;) {
    // Looked at before the records are, so that none is missed on its way from here to there.
    const here = findOpenChats(ctx, request);
    const { claim, isLocked, isOpen } = await claimJoinable(ctx, request.digest);
    const answer = claim && (await follow(ctx, claim, client));
    if (answer !== null) return answer;
    if (client.left) throw abandoned();
    const hasLeft = isLocked || here.some(({ left }) => left);
    const mayHaveLeft = claim !== null || isOpen || here.length > 0;
    if (!hasLeft && !(mayHaveLeft && performance.now() < until)) return null;
    await sleep(LOOK_INTERVAL_MS);
  }
}

interface Client {
  left: boolean;
  delivered: Promise<boolean>;
  /** Resolves when it has left. */
  leaves: Promise<void>;
}

function watch({ delivered }: ClientRequest): Client {
  const client: Client = { left: false, delivered, leaves: Promise.resolve() };
  client.leaves = new Promise((resolve) => {
    void delivered.then((arrived) => {
      if (arrived) return;
      client.left = true;
      resolve();
    });
  });
  return client;
}

/** Waits for the end of the claimed chat and returns its answer; null when the claim was lost meanwhile. */
async function follow(ctx: Ctx, claim: JoinClaim, client: Client): Promise<string | null> {
  const { hub } = ctx;
  const joined = await waitForEnd(hub, claim, client).catch(async (error: unknown) => {
    await trackWrite(hub, releaseClaim(hub, claim));
    throw error;
  });
  if (!joined) return null;
  void client.delivered.then((delivered) =>
    trackWrite(hub, delivered ? consumeClaim(hub, claim) : releaseClaim(hub, claim)),
  );
  if (joined.status === "succeeded") return joined.answer;
  const error = chatError({ error: joined.error!, upstreamStatus: joined.upstreamStatus ?? undefined });
  error.headers["Idempotent-Replayed"] = "true";
  throw error;
}

async function waitForEnd(hub: Hub, claim: JoinClaim, client: Client): Promise<Joined | undefined> {
  for (let renewedAt = performance.now(); !client.left;) {
    const joined = await readJoined(hub, claim);
    if (joined?.status !== "running") {
      // It may have ended a moment ago, and its end may still wait for the disk.
      await waitForDurability(hub.db);
      return joined;
    }
    await Promise.race([client.leaves, findInFlight(hub, claim.id) ?? pause(POLL_INTERVAL_MS), pause(RENEW_CLAIM_MS)]);
    if (performance.now() - renewedAt < RENEW_CLAIM_MS) continue;
    if (!(await renewClaim(hub, claim))) return undefined;
    renewedAt = performance.now();
  }
  throw abandoned();
}

const pause = (ms: number) => sleep(ms, undefined, { ref: false });

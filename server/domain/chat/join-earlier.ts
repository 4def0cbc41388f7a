import { setTimeout as sleep } from "node:timers/promises";
import type { Ctx } from "../../context";
import { AppError, withRepeatedGeneration } from "../../errors";
import { DISCONNECT_CHECK_MS, MAX_DISCONNECT_CHECKS } from "../../lib/late-disconnect";
import {
  claimJoinable,
  consumeClaim,
  type JoinClaim,
  readAnswer,
  readJoined,
  releaseClaim,
  RENEW_CLAIM_MS,
  renewClaim,
  type ReplayedChat,
} from "../generations/replay";
import { hubStopped } from "../generations/row";
import { chatError } from "./chat-error";
import type { ChatHub } from "./hub";
import type { ClientRequest } from "./request";
import { findOpenChats } from "./connection";
import { findInFlight } from "./in-flight";
import { trackWrite } from "./pending-writes";

/** How often a chat of another process is read. */
const POLL_INTERVAL_MS = 500;

const abandoned = () => new AppError("generation_in_progress", "The client left while it waited for an earlier chat.");

/**
 * Waits for the chat that this request retries and returns its answer, or null when no such chat lost its client.
 * Throws the chat's error if it failed. Also waits a moment for chats whose client still seems connected, because a
 * disconnect may be noticed late (docs/decisions/0019-sdk-retries.md).
 */
export async function joinEarlier(
  ctx: Ctx<ChatHub>,
  request: ClientRequest,
  onGeneration: (id: string) => void,
): Promise<ReplayedChat | null> {
  const client = watchClient(request);
  for (let checks = 0; ; checks += 1) {
    // Read before the database, so that a chat that moves from memory to its row is not missed.
    const openChats = findOpenChats(ctx, request);
    const { claim, isLocked, isOpen, isBroken } = await claimJoinable(ctx, request);
    request.repeatsBroken = isBroken;
    const joined = claim && (await joinClaimed(ctx, claim, client, onGeneration));
    if (joined) return joined;
    if (client.left) throw abandoned();
    const hasLeft = isLocked || openChats.some(({ left }) => left);
    // Without a retry mark, an identical request is probably intended as a new one, so it does not wait.
    const mayHaveLeft = claim !== null || (request.isMarked && (isOpen || openChats.length > 0));
    if (!hasLeft && !(mayHaveLeft && checks < MAX_DISCONNECT_CHECKS)) return null;
    await sleep(DISCONNECT_CHECK_MS);
  }
}

interface Client {
  left: boolean;
  delivered: Promise<boolean>;
  /** Resolves when the client disconnects. */
  disconnected: Promise<void>;
}

function watchClient({ delivered }: ClientRequest): Client {
  const client: Client = { left: false, delivered, disconnected: Promise.resolve() };
  client.disconnected = new Promise((resolve) => {
    void delivered.then((isDelivered) => {
      if (isDelivered) return;
      client.left = true;
      resolve();
    });
  });
  return client;
}

async function joinClaimed(
  ctx: Ctx<ChatHub>,
  claim: JoinClaim,
  client: Client,
  onGeneration: (id: string) => void,
): Promise<ReplayedChat | null> {
  onGeneration(claim.id);
  const stored = await waitForAnswer(ctx, claim, client);
  return stored && { id: claim.id, ...stored };
}

/** Waits until the claimed chat ends and returns its answer; null when the claim was lost meanwhile. */
async function waitForAnswer(
  ctx: Ctx<ChatHub>,
  claim: JoinClaim,
  client: Client,
): Promise<Omit<ReplayedChat, "id"> | null> {
  const { hub } = ctx;
  const joined = await waitForEnd(hub, claim, client).catch(async (error: unknown) => {
    await trackWrite(hub, releaseClaim(hub, claim));
    throw error;
  });
  if (!joined) return null;
  void client.delivered.then((delivered) =>
    trackWrite(hub, delivered && !joined.isUndelivered ? consumeClaim(hub, claim) : releaseClaim(hub, claim)),
  );
  if (joined.status === "succeeded") return readAnswer(hub, claim.id);
  const error = chatError(hub, {
    error: joined.error ?? hubStopped,
    upstreamStatus: joined.upstreamStatus ?? undefined,
  });
  error.headers["Idempotent-Replayed"] = "true";
  throw withRepeatedGeneration(error, claim.id);
}

async function waitForEnd(hub: ChatHub, claim: JoinClaim, client: Client) {
  for (let renewedAt = performance.now(); !client.left;) {
    const joined = await readJoined(hub, claim);
    if (joined?.status !== "running") {
      // The chat may have been committed asynchronously, so its end must be durable before it is reported.
      await hub.services.waitForDurability();
      return joined;
    }
    await Promise.race([
      client.disconnected,
      findInFlight(hub, claim.id) ?? pause(POLL_INTERVAL_MS),
      pause(RENEW_CLAIM_MS),
    ]);
    if (performance.now() - renewedAt < RENEW_CLAIM_MS) continue;
    if (!(await renewClaim(hub, claim))) return undefined;
    renewedAt = performance.now();
  }
  throw abandoned();
}

const pause = (ms: number) => sleep(ms, undefined, { ref: false });

import { contextOf } from "../../server/context";
import { findCancelState } from "../../server/domain/generations/attempts/cancel-request";
import { cancelStoredGeneration } from "../../server/domain/generations/end/cancel";
import { requestCancel } from "../../server/domain/generations/end/stop-running";
import { isAppError } from "../../server/errors";
import { type CancelFault, cancelFaults } from "./double";
import type { Crash } from "./dying-process";
import { CREDIT, type EndedRun } from "./ended-run";
import type { OpenedMaker } from "./fault-run";
import type { ProviderHub } from "./generation-run";
import { input } from "./makers";

/** How a provider reacts when it is asked to stop a job: it confirms, it says that the job has ended, or it has a fault. */
export const cancelReplies = ["confirms", "has finished", ...cancelFaults] as const;
export type Reply = "confirms" | "has finished" | CancelFault;

/** Where a process dies: the one that runs the generation, or the one that the customer has called. */
export const cancelCrashes = [
  "nowhere",
  "before it asks",
  "while it asks",
  "before the end",
  "as soon as the request is stored",
] as const;
export type CancelCrash = (typeof cancelCrashes)[number];

export interface CancelPlan {
  reply: Reply;
  crash: CancelCrash;
  /** After how many steps the customer cancels. */
  steps: number;
}

export interface CanceledRun {
  end: EndedRun;
  /** What the customer's call returned: a status, or the text of the problem; null if its process has died. */
  answer: string | null;
  /** How often the provider accepted the work. */
  accepted: number;
}

/** Runs a generation that its customer cancels at its provider. */
export async function runCanceled(
  providerHub: ProviderHub,
  maker: OpenedMaker,
  { reply, crash, steps }: CancelPlan,
): Promise<CanceledRun> {
  const { hub } = providerHub;
  const { double } = maker;
  double.clearFaults();
  const [accepted, cancels] = [double.accepted.length, double.cancels.length];
  if (reply !== "confirms" && reply !== "has finished") double.failCancels(reply);
  let calls = 0;
  let answer: Promise<string | null> = Promise.resolve(null);
  const afterStep = async (id: string) => {
    if ((calls += 1) !== steps) return;
    if (crash === "as soon as the request is stored") await requestCancel(hub, id);
    else answer = cancel(hub, id);
    while (!(await findCancelState(hub, id))!.is_requested) await new Promise((resolve) => setTimeout(resolve, 2));
    if (reply === "has finished") await finishJob(maker);
  };
  const crashes: Partial<Record<CancelCrash, Crash>> = {
    "before it asks": { step: steps + 1 },
    "while it asks": { step: steps + 1, isDead: () => double.cancels.length > cancels },
    "before the end": { step: "end" },
  };
  const end = await providerHub.run(maker.name, input, { crash: crashes[crash], afterStep });
  return { end, answer: await answer, accepted: double.accepted.length - accepted };
}

/** Calls the API as the customer does, and returns the generation's status or the problem. */
export async function cancel(hub: ProviderHub["hub"], id: string): Promise<string> {
  const [row] = await hub.db.query<{ account_id: number }>("SELECT account_id FROM generation WHERE id = $1", [id]);
  const account = { id: row!.account_id, email: "", member: true, balance: CREDIT, reserved: 0n };
  const ctx = contextOf(hub, account, { kind: "user" }, "test");
  try {
    return (await cancelStoredGeneration(ctx, id, { stopRunning: true })).status;
  } catch (error) {
    if (!isAppError(error)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

/** Ends the last job of a maker. */
async function finishJob({ double }: OpenedMaker): Promise<void> {
  if (double.endLastJob) return void double.endLastJob();
  // A step of ComfyUI's double is a read of the history after one of the queue: the first begins a prompt, the next ends it.
  const headers = { authorization: "Bearer test-key-0123456789" };
  for (const path of ["/queue", "/history/none", "/queue", "/history/none"])
    await (await fetch(`${double.url}${path}`, { headers })).arrayBuffer();
}

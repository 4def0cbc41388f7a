import { createHmac } from "node:crypto";
import type { Callback } from "../callbacks";
import type { DoubleRequest, DoubleResponse } from "../double";
import { endlessBytes, PNG } from "../outputs";
import { bflSchemas } from "./schemas";

/** What becomes of a job. Its state advances with each poll. */
export interface BflScript {
  /** How it ends; `Ready` by default. `Queued` stands for a status that the maker might add. */
  status?: string;
  /** How many polls find it unknown, and then how many find it pending. */
  unknownPolls?: number;
  pendingPolls?: number;
  /** Credits. */
  cost?: number | null;
  output?: BflOutput;
  /** The URL of its output, instead of one at the double; null for a result without one. */
  sample?: string | null;
  /** Its polling URL, instead of one at the double. */
  pollingUrl?: string;
}

/** What the URL of an output returns. */
export type BflOutput = "picture" | "expired" | "gone" | "web page" | "endless" | "redirect" | "redirect to private";

export interface BflJob extends BflScript {
  id: string;
  webhook: { url: string; secret: string } | null;
}

/** Returns the response to a poll, and advances the job. */
export function readResult(job: BflJob | undefined, origin: string): DoubleResponse {
  if (!job || countDown(job, "unknownPolls")) {
    const body = { id: job?.id ?? "unknown", status: "Task not found", result: null };
    return { status: 404, body: bflSchemas.assertValid("result", body) };
  }
  const { id, status = "Ready", sample = `${origin}/delivery/${id}` } = job;
  if (countDown(job, "pendingPolls")) {
    const body = { id, status: "Pending", result: null, progress: 0.4 };
    return { status: 200, body: bflSchemas.assertValid("result", body) };
  }
  const body = { id, status, result: status === "Ready" && sample !== null ? { sample, seed: 42 } : null };
  return { status: 200, body: status === "Queued" ? body : bflSchemas.assertValid("result", body) };
}

function countDown(job: BflJob, name: "unknownPolls" | "pendingPolls"): boolean {
  const left = job[name] ?? 0;
  job[name] = left - 1;
  return left > 0;
}

const image = { status: 200, headers: { "content-type": "image/png" } };
const outputs: Record<BflOutput, () => DoubleResponse> = {
  picture: () => ({ ...image, body: PNG }),
  expired: () => ({ status: 403, body: PNG }),
  gone: () => ({ status: 404, body: PNG }),
  "web page": () => ({ ...image, body: Buffer.from("<!doctype html><title>Sign in</title>") }),
  endless: () => ({ ...image, body: endlessBytes() }),
  redirect: () => ({ status: 302, headers: { location: "/delivery/moved" } }),
  "redirect to private": () => ({ status: 302, headers: { location: "http://169.254.169.254/latest/meta-data" } }),
};

/** Delivers an output, to a request without a key only. */
export function deliverOutput(job: BflJob | undefined, { headers }: DoubleRequest): DoubleResponse {
  return headers["x-key"] === undefined ? outputs[job?.output ?? "picture"]() : { status: 400 };
}

/** Ends a job and returns the callback that says so. */
export function buildCallback(job: BflJob): Callback {
  Object.assign(job, { unknownPolls: 0, pendingPolls: 0 });
  const { id, status = "Ready", webhook } = job;
  const result = status === "Ready" ? { result: { sample: "https://delivery.bfl.ai/x", seed: 42 } } : {};
  const said = bflSchemas.assertValid("callback", { id, status, ...result, timestamp: "2026-11-22T12:00:00Z" });
  const body = JSON.stringify(said);
  const signature = createHmac("sha256", webhook!.secret).update(body).digest("hex");
  const headers = { "content-type": "application/json", "x-bfl-signature": `sha256=${signature}` };
  return { url: webhook!.url, body, headers };
}

/** Sends a callback and returns the status of its response. */
export async function sendCallback({ url, headers, body }: Callback): Promise<number> {
  return (await fetch(url, { method: "POST", headers, body })).status;
}

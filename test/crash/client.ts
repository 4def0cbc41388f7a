import { randomUUID } from "node:crypto";

/** What a client has observed. */
export interface ClientLog {
  /** Ids of accepted generations by their idempotency keys. */
  accepted: Map<string, string>;
  /** Ids of generations whose cancellation was confirmed. */
  canceled: Set<string>;
  /** Responses that are always wrong. */
  errors: string[];
}

interface Target {
  url: string;
  key: string;
}

interface ApiResponse {
  status: number;
  body: { id?: string; generation_id?: string; status?: string; code?: string };
}

/** Creates and cancels generations until `stop` aborts. Every request is repeated with its key until it gets a final response. */
export async function generateLoad(
  target: () => Target,
  stop: AbortSignal,
  log: ClientLog,
  random: () => number,
): Promise<void> {
  while (!stop.aborted) {
    const key = randomUUID();
    const prompt = promptFor(key, random());
    const id = await createGeneration(target, stop, log, key, prompt);
    if (!id) return;
    log.accepted.set(key, id);
    // Sometimes the request is repeated, as by a client that lost the response.
    if (random() < 0.2) {
      const replayedId = await createGeneration(target, stop, log, key, prompt);
      if (replayedId && replayedId !== id) log.errors.push(`key ${key} made ${id} and ${replayedId}`);
    }
    if (random() < 0.3) await cancelGeneration(target, stop, log, id);
  }
}

async function createGeneration(
  target: () => Target,
  stop: AbortSignal,
  log: ClientLog,
  key: string,
  prompt: string,
): Promise<string | undefined> {
  while (!stop.aborted) {
    const answer = await sendRequest(target(), "POST", "/api/v1/hub/generations", key, {
      model: "sandbox-image",
      input: { prompt },
    });
    if (answer?.status === 202 || answer?.status === 200) return answer.body.id;
    if (answer?.body.code === "generation_in_progress") return answer.body.generation_id;
    if (answer && answer.status !== 503) {
      log.errors.push(`create answered ${answer.status} ${answer.body.code}`);
      return undefined;
    }
    await pause();
  }
  return undefined;
}

function promptFor(key: string, roll: number): string {
  const magic = roll < 0.1 ? "[fail] " : roll < 0.2 ? "[slow:1] " : roll < 0.3 ? "[flaky] " : "";
  return `${magic}crash ${key}`;
}

async function cancelGeneration(target: () => Target, stop: AbortSignal, log: ClientLog, id: string): Promise<void> {
  while (!stop.aborted) {
    const answer = await sendRequest(target(), "POST", `/api/v1/hub/generations/${id}/cancel`);
    if (answer?.status === 200) log.canceled.add(id);
    if (answer && ![200, 409, 503].includes(answer.status))
      log.errors.push(`cancel answered ${answer.status} ${answer.body.code}`);
    if (answer && answer.status !== 503) return;
    await pause();
  }
}

/** Sends a request. Returns undefined if the connection broke, after which the client cannot know what happened. */
async function sendRequest(
  { url, key }: Target,
  method: string,
  path: string,
  idempotency?: string,
  body?: unknown,
): Promise<ApiResponse | undefined> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body) headers["content-type"] = "application/json";
  if (idempotency) headers["idempotency-key"] = idempotency;
  try {
    const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
    return { status: response.status, body: (await response.json()) as ApiResponse["body"] };
  } catch {
    return undefined;
  }
}

// Refused connections fail at once, and clients without a pause would take the CPU time that the restart needs.
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

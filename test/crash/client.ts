import { randomUUID } from "node:crypto";

/** What a client knows: the ids it was promised, by the idempotency key it chose. */
export interface ClientLog {
  /** Key to the id of its 202 or replay. */
  accepted: Map<string, string>;
  /** Ids whose cancellation was confirmed. */
  canceled: Set<string>;
  /** Answers that should never come. */
  wrong: string[];
}

interface Target {
  url: string;
  key: string;
}

interface Answer {
  status: number;
  body: { id?: string; generation_id?: string; status?: string; code?: string };
}

/** Creates and cancels until told to stop. Every create is repeated with its key until it is answered for good. */
export async function generateLoad(
  target: () => Target,
  stop: AbortSignal,
  log: ClientLog,
  random: () => number,
): Promise<void> {
  while (!stop.aborted) {
    const key = randomUUID();
    const prompt = promptFor(key, random());
    const id = await create(target, stop, log, key, prompt);
    if (!id) return;
    log.accepted.set(key, id);
    // Sometimes the same request once more, as a client does that lost the answer.
    if (random() < 0.2) {
      const again = await create(target, stop, log, key, prompt);
      if (again && again !== id) log.wrong.push(`key ${key} made ${id} and ${again}`);
    }
    if (random() < 0.3) await cancel(target, stop, log, id);
  }
}

async function create(
  target: () => Target,
  stop: AbortSignal,
  log: ClientLog,
  key: string,
  prompt: string,
): Promise<string | undefined> {
  while (!stop.aborted) {
    const answer = await call(target(), "POST", "/api/v1/hub/generations", key, {
      model: "sandbox-image",
      input: { prompt },
    });
    if (answer?.status === 202 || answer?.status === 200) return answer.body.id;
    if (answer?.body.code === "generation_in_progress") return answer.body.generation_id;
    if (answer && answer.status !== 503) {
      log.wrong.push(`create answered ${answer.status} ${answer.body.code}`);
      return undefined;
    }
    await pause();
  }
  return undefined;
}

function promptFor(key: string, dice: number): string {
  const magic = dice < 0.1 ? "[fail] " : dice < 0.2 ? "[slow:1] " : dice < 0.3 ? "[flaky] " : "";
  return `${magic}crash ${key}`;
}

async function cancel(target: () => Target, stop: AbortSignal, log: ClientLog, id: string): Promise<void> {
  while (!stop.aborted) {
    const answer = await call(target(), "POST", `/api/v1/hub/generations/${id}/cancel`);
    if (answer?.status === 200) log.canceled.add(id);
    if (answer && ![200, 409, 503].includes(answer.status))
      log.wrong.push(`cancel answered ${answer.status} ${answer.body.code}`);
    if (answer && answer.status !== 503) return;
    await pause();
  }
}

/** Undefined when the connection broke: then nobody knows what happened, and the client asks again. */
async function call(
  { url, key }: Target,
  method: string,
  path: string,
  idempotency?: string,
  body?: unknown,
): Promise<Answer | undefined> {
  const headers: Record<string, string> = { authorization: `Bearer ${key}` };
  if (body) headers["content-type"] = "application/json";
  if (idempotency) headers["idempotency-key"] = idempotency;
  try {
    const response = await fetch(url + path, { method, headers, body: body ? JSON.stringify(body) : undefined });
    return { status: response.status, body: (await response.json()) as Answer["body"] };
  } catch {
    return undefined;
  }
}

// A refused connection answers at once; without a breath the clients would only burn the cores that the restart needs.
const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

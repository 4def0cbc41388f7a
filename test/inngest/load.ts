import { randomUUID } from "node:crypto";

export interface Load {
  /** Prompts by the ids of the generations that were accepted. */
  accepted: Map<string, string>;
  /** Resolves when all generations have been accepted. */
  done: Promise<void>;
}

interface Options {
  url: string;
  /** API keys, used in turn. */
  keys: string[];
  count: number;
  perSecond: number;
}

const MIX = ["", "[slow:2] ", "[slow:5] ", "", "[slow:2] ", "[slow:5] ", "", "[slow:5] ", "[flaky] ", ""];
const FAIL_EVERY = 25;

/** Creates generations at a steady rate: one in 25 fails, one in ten fails once and is retried, and half take seconds. */
export function createLoad({ url, keys, count, perSecond }: Options): Load {
  const accepted = new Map<string, string>();
  const createAll = async () => {
    const startedAt = Date.now();
    const creates = [];
    for (let n = 0; n < count; n += 1) {
      await pause(startedAt + (n * 1000) / perSecond - Date.now());
      const prompt = `${n % FAIL_EVERY === FAIL_EVERY - 1 ? "[fail] " : MIX[n % MIX.length]}a hill, ${n}`;
      creates.push(create(url, keys[n % keys.length]!, prompt).then((id) => accepted.set(id, prompt)));
    }
    await Promise.all(creates);
  };
  return { accepted, done: createAll() };
}

/** Repeats a request until it is accepted, with one idempotency key, so that it creates one generation. */
async function create(url: string, key: string, prompt: string): Promise<string> {
  const idempotencyKey = randomUUID();
  for (;;) {
    const response = await fetch(`${url}/api/v1/hub/generations`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": idempotencyKey,
      },
      body: JSON.stringify({ model: "sandbox-image", input: { prompt } }),
    }).catch(() => undefined);
    const body = (await response?.json().catch(() => undefined)) as { id?: string; generation_id?: string } | undefined;
    const id = body?.id ?? body?.generation_id;
    if (id) return id;
    if (response && response.status !== 503)
      throw new Error(`Creating a generation was answered with ${response.status}`);
    await pause(200);
  }
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

import { expect, test } from "vitest";
import { POST } from "@/app/api/trpc/[trpc]/route";
import { createKey } from "../../server/domain/keys/create";
import { createToken } from "../../server/domain/workers/worker";
import { operations } from "../../server/api/openapi";
import { runAudit } from "../../server/domain/audit/audit";
import { shareHub } from "../../server/share-hub";
import { root } from "../../server/trpc/root";
import { mutateBody, nastyNames, nastyValues } from "../hostile/mutations";
import { sessionHeaders } from "../session";
import { soakCount } from "../soak";
import { callApi } from "./call";
import { newCustomer } from "./customer";
import { openOwnHost } from "./hosts";
import { testOperator } from "../operator";

const host = await openOwnHost({ RATE_LIMIT_KEYS_PER_MINUTE: "1000000", OUTBOUND_ALLOW_HOSTS: "localhost:9" });
const customer = await newCustomer(host.hub, { credit: 1_000_000 });
const session = await sessionHeaders(host.hub, customer.account);
const { record: otherKey } = await createKey(host.hub, customer.account, { name: "other" });
const { token } = await createToken(host.hub, testOperator, "test");
const MISSING_ID = "019aa535-6c00-7a3e-9b11-5a4f6e0c2d10";

/** A valid body of each operation that reads one. */
const bodies: Record<string, Record<string, unknown>> = {
  priceInput: { input: { prompt: "a tree", resolution: "1k" } },
  createGeneration: { model: "sandbox-image", input: { prompt: "a tree", image_input: ["https://example.org/a.png"] } },
  cancelGeneration: { stop_running: true },
  createBatch: { model: "sandbox-image", inputs: [{ prompt: "a tree", resolution: "1k" }], max_cost: 1 },
  completeChat: { model: "sandbox-text", messages: [{ role: "user", content: "hi" }], max_tokens: 5 },
  createCharacter: { name: "Ada", base_model: "sandbox-trainer", images: [], parameters: { steps: 20 } },
  updateCharacter: { name: "Ada", trigger_word: "ada", images: [], parameters: { steps: 20 } },
  startCharacter: { parameters: { steps: 20 }, max_cost: 1 },
  createUpload: { size: 1, sha256: "0".repeat(64), name: "a.png" },
  createWebhook: { url: "https://localhost:9/", events: ["generation.completed"] },
  claimJob: { models: ["sandbox-trainer"], wait_seconds: 0 },
  renewLease: { fence: 1, progress: 0.5, gpu_ms: 1, checkpoint: { step: 1 } },
  completeLease: { fence: 1, gpu_ms: 1 },
  failLease: { fence: 1, gpu_ms: 1, code: "oops", message: "It failed.", retryable: true },
  createKey: { name: "server", spend_limit: 5, spend_limit_reset: "day", require_idempotency: false },
  updateKey: {
    name: "server",
    paused: false,
    expires_at: "2099-01-01T00:00:00Z",
    spend_limit: 5,
    spend_limit_reset: "day",
    allowed_models: ["sandbox-image"],
  },
  rotateKey: { grace_hours: 24 },
};
const withBody = operations.filter(({ body }) => body);

/** Returns every twelfth text, starting at a different one for each operation; under `npm run soak`, all texts. */
const sample = (texts: Iterable<string>, offset: number) =>
  [...texts].filter((_text, index) => (index + offset) % soakCount(12, 1) === 0);

test("every operation that reads a body has a valid one here", () => {
  expect(withBody.map(({ name }) => name).toSorted()).toEqual(Object.keys(bodies).toSorted());
});

test.each(withBody.map((operation, index) => [operation.name, operation, index] as const))(
  "no mutation of the body of %s causes a server error",
  async (name, { method, path, auth }, index) => {
    const location = path
      .replace("models/{id}", "models/sandbox-image")
      .replace("keys/{id}", `keys/${otherKey.id}`)
      .replace("{id}", path.includes("characters") ? "7" : MISSING_ID);
    const headers =
      auth === "session" ? session : { authorization: `Bearer ${auth === "worker" ? token : customer.key}` };
    for (const body of sample(mutateBody(bodies[name]!), index)) {
      const reply = await callApi(host, method.toUpperCase(), location, { body, headers });
      expect(reply.status, `${body.slice(0, 300)} → ${JSON.stringify(reply.body)}`).toBeLessThan(500);
    }
  },
);

const mutations = Object.entries(root._def.procedures as unknown as Record<string, { _def: { type: string } }>)
  .filter(([, { _def }]) => _def.type === "mutation")
  .map(([path], index) => [path, index] as const);

test.each(mutations)("no input makes the console's %s cause a server error", async (path, index) => {
  shareHub(host.hub);
  const inputs = [
    ...nastyValues,
    ...nastyNames.map((name) => ({ [name]: 1 })),
    ...nastyValues.map((value) => ({
      id: value,
      name: value,
      email: value,
      password: value,
      model: value,
      input: value,
    })),
  ];
  for (const text of sample(
    inputs.map((json) => JSON.stringify({ json })),
    index,
  )) {
    const request = new Request(`https://hub.test/api/trpc/${path}`, {
      method: "POST",
      headers: { ...session, "content-type": "application/json" },
      body: text,
    });
    const { status } = await POST(request);
    expect(status, `${path} ${text.slice(0, 300)}`).toBeLessThan(500);
  }
});

test("the audit finds no violation afterwards", async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

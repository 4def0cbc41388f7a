import { beforeAll, expect, test } from "vitest";
import { runAudit } from "../../server/domain/audit/audit";
import { type Customer, newCustomer } from "../api/customer";
import { listBodies } from "../agents/recordings";
import { openChatHost } from "../chat/host";
import { seed, soakCount } from "../soak";
import { claudeCodeRequest } from "./claude-code-request";

const bodies = [claudeCodeRequest, ...listBodies("/v1/messages")];
const { hub, url } = await openChatHost();
let customer: Customer;
beforeAll(async () => {
  customer = await newCustomer(hub, { credit: 1_000 });
});

/** Returns evenly spread numbers from 0 to 1 (mulberry32), unlike fast-check, which prefers the ends. */
function createNumbers(state: number): () => number {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    const more = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((more ^ (more >>> 14)) >>> 0) / 2 ** 32;
  };
}

const random = createNumbers(seed);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

/** Values that a member of another type, a newer client or an attacker could send. */
const oddValues: unknown[] = [
  null, true, 0, -1, 1e21, "", "x", "constructor", [], [null], [[]], {}, { type: "text" }, { type: 7 },
  { type: "image", source: null }, { type: "document", source: { type: "url", url: "sha256:1" } }, { type: "tool_result" },
  { type: "tool_use", id: 1 }, { type: "thinking", thinking: null, signature: "hub.chat" }, { role: "system" },
  { type: "toString", constructor: 1 }, { type: "base64", media_type: "\r\n", data: "" }, "\u2028".repeat(70),
]; // prettier-ignore

/** Changes a value somewhere inside: replaces, removes, repeats or renames a member or an item. */
function mutate(root: unknown): unknown {
  const copy = structuredClone(root) as Record<string, unknown>;
  let owner = copy;
  for (let depth = Math.floor(random() * 6); depth > 0; depth -= 1) {
    const inner = pick(Object.keys(owner).length > 0 ? Object.keys(owner) : [""]);
    if (typeof owner[inner] !== "object" || owner[inner] === null) break;
    owner = owner[inner] as Record<string, unknown>;
  }
  const name = pick(Object.keys(owner).length > 0 ? Object.keys(owner) : ["added"]);
  const change = random();
  if (change < 0.6) owner[name] = structuredClone(pick(oddValues));
  else if (change < 0.75) Reflect.deleteProperty(owner, name);
  else if (change < 0.9 && Array.isArray(owner)) owner.push(owner[0]);
  else owner[pick(["toString", "type", "source", "content", "stream", "max_tokens"])] = owner[name];
  return copy;
}

test("changed requests never fail on our side", async () => {
  const paths = ["/v1/messages", "/v1/messages", "/v1/messages/count_tokens"];
  const statuses = new Map<number, number>();
  for (let count = soakCount(100, 2_000); count > 0; count -= 1) {
    let body: unknown = { ...pick(bodies), stream: random() < 0.5 };
    for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) body = mutate(body);
    // Most requests must reach the translation.
    if (random() < 0.9) body = { ...(body as object), model: "sandbox-text" };
    const response = await fetch(url + pick(paths), {
      method: "POST",
      headers: { "content-type": "application/json", "x-api-key": customer.key },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    expect(response.status, `${JSON.stringify(body)}\n${text}`).toBeLessThan(500);
    expect(text).not.toContain('"api_error"');
  }
  expect(statuses.get(200)).toBeGreaterThan(5);
  expect(statuses.get(400)).toBeGreaterThan(5);
  await expect.poll(() => hub.chats.size).toBe(0);
  expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
});

import { afterAll, afterEach, expect } from "vitest";
import { parseCatalogue } from "../../server/catalogue/parse";
import { runAudit } from "../../server/domain/audit/audit";
import { createRoutingServices } from "../../server/domain/routing";
import { type Host, openOwnHost } from "../api/hosts";
import { catalogueWith } from "../catalogue";
import { callApi, type Reply, type Request } from "../api/call";
import { openUpstream, type Responder, type Upstream } from "./upstream";

export const CHAT = "/api/v1/hub/chat/completions";
export const UPSTREAM_KEY = "sk-upstream-0123456789abcdef";

export interface ChatHost extends Host {
  upstream: Upstream;
  /** Replaces the upstream's models by these, in YAML; `second` is the URL of another provider of that name. */
  setModels(models: string, second?: string, secondKey?: string): void;
  chat(key: string, body: Record<string, unknown>, request?: Request): Promise<Reply>;
}

export const MODEL_YAML = `
  - id: talk
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    supports: [vision, tools, structured_output]
    routes: [{ provider: up, upstream_model: gpt-up }]
`;

/**
 * Starts our own server with the model `talk`, which a local upstream serves. An input token costs 1000 nano-euros, an
 * output token 2000.
 */
export async function openChatHost(settings: Record<string, string> = {}, respond?: Responder): Promise<ChatHost> {
  const upstream = await openUpstream(0, respond);
  const host = await openOwnHost(settings);
  afterAll(() => upstream.close());
  const sandbox = host.hub.catalogue;
  const offerModels = (models: string, second = upstream.url, secondKey = "") => {
    const text = `providers:
  - { id: up, kind: openai, base_url: "${upstream.url}", api_key: "${UPSTREAM_KEY}" }
  - { id: second, kind: openai, base_url: "${second}"${secondKey && `, api_key: "${secondKey}"`} }
models:${models}`;
    const parsed = parseCatalogue(text, { file: "test", variables: {} });
    host.hub.catalogue = new Map([...sandbox, ...catalogueWith(parsed.models)]);
    // Without the breakers that an earlier test has opened.
    host.hub.services.routeHealth = createRoutingServices(host.hub).routeHealth;
  };
  offerModels(MODEL_YAML);
  const chat = (key: string, body: Record<string, unknown>, request: Request = {}) =>
    callApi(host, "POST", CHAT, { key, body: { model: "talk", ...body }, ...request });
  return { ...host, upstream, setModels: offerModels, chat };
}

/** Waits after each test until no chat runs, and audits the hub after all of them, because that reads all that they have done. */
export function auditAfterChats(hub: Pick<Host["hub"], "chats" | "db">): void {
  afterEach(async () => {
    await expect.poll(() => hub.chats.size).toBe(0);
  });
  afterAll(async () => {
    expect(await runAudit(hub.db)).toMatchObject({ violations: [], reserved: 0 });
  });
}

export const userMessages = (content: unknown) => [{ role: "user", content }];

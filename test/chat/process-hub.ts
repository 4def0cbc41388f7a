import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll } from "vitest";
import { type RunningHub, startHub } from "../../e2e/server";
import { reservePort } from "../reserve-port";
import { type TestHub, testHub } from "../hub";
import { UPSTREAM_KEY, MODEL_YAML } from "./host";
import { openUpstream, type Upstream } from "./upstream";

export interface ProcessHub {
  /** A test hub on the process's database and files. */
  testHub: TestHub;
  upstream: Upstream;
  /**
   * Starts the built hub with the model `talk`, on the same port each time; the models `native-…` use their provider's
   * own dialect.
   */
  start: () => Promise<RunningHub>;
}

/** Models at the prices of `talk` whose provider speaks Messages or Responses itself. */
const NATIVE_MODELS = `
  - id: native-messages
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, cache_write_cost_per_million: 1, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: claude, upstream_model: claude-up }]
  - id: native-responses
    llm: { input_cost_per_million: 1, output_cost_per_million: 2, context_length: 100000, max_output_tokens: 1000 }
    routes: [{ provider: up, upstream_model: gpt-up, responses: true }]
`;

/** Starts the built hub as a process of its own, beside a local upstream. */
export async function openProcessHub(settings: Record<string, string> = {}): Promise<ProcessHub> {
  const ownHub = await testHub();
  const upstream = await openUpstream();
  const folder = await mkdtemp(path.join(os.tmpdir(), "hub-chat-"));
  const HUB_CATALOGUE = path.join(folder, "catalogue.yaml");
  const provider = (id: string, kind: string) =>
    `{ id: ${id}, kind: ${kind}, base_url: "${upstream.url}", api_key: "${UPSTREAM_KEY}" }`;
  const providers = `providers: [${provider("up", "openai")}, ${provider("claude", "anthropic")}]\nmodels:`;
  await writeFile(HUB_CATALOGUE, providers + MODEL_YAML + NATIVE_MODELS);
  afterAll(async () => {
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  });
  const env = {
    PORT: String(await reservePort()),
    DATABASE_URL: ownHub.databaseUrl,
    HUB_SECRET: ownHub.secret,
    HUB_CATALOGUE,
    SANDBOX: "on",
    DATABASE_POOL_SIZE: "5",
    LOG_LEVEL: "error",
    ...settings,
  };
  const start = () => startHub({ env, dataDir: ownHub.folder });
  return { testHub: ownHub, upstream, start };
}

import { readFile } from "node:fs/promises";
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import OpenAI from "openai";
import ts from "typescript";
import { afterAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { isKey, PLACEHOLDER_KEY, type Snippet } from "../../app/(console)/quickstarts/guide";
import { guides } from "../../app/(console)/quickstarts/guides";
import { DOCUMENTED, pageOf, replaceSteps } from "../../scripts/quickstarts/render-guide";
import { runAudit } from "../../server/domain/audit/audit";
import { newCustomer } from "../api/customer";
import { openRunningHost } from "../api/hosts";
import { runOrThrow, runProgram } from "../clients/run-program";

const host = await openRunningHost();
const { key } = await newCustomer(host.hub);
const values = { base: host.url, key };
afterAll(async () => {
  expect((await runAudit(host.hub.db)).violations).toEqual([]);
});

const stepsOf = (id: string, own = values) => guides.find((guide) => guide.id === id)!.write(own);
const snippetOf = (id: string, title: string) =>
  stepsOf(id).flatMap(({ snippet }) => (snippet?.title === title ? [snippet.code] : []))[0]!;
const linkOf = (id: string) => new URL(stepsOf(id).flatMap(({ link }) => link ?? [])[0]!.href);
const settingsOf = (id: string, index: number) =>
  new Map(stepsOf(id)[index]!.settings!.map(({ name, value }) => [name, value]));

/** What a program knows of an MCP server. */
interface Server {
  url: string;
  headers: Record<string, string>;
}

/** Connects both official clients with the settings of a program, and runs a tool that costs nothing. */
async function expectConnects({ url, headers }: Server): Promise<void> {
  const info = { name: "test", version: "1" };
  const v1 = new ClientV1(info);
  await v1.connect(new TransportV1(new URL(url), { requestInit: { headers } }));
  const v2 = new ClientV2(info, { versionNegotiation: { mode: "auto" } });
  await v2.connect(new TransportV2(new URL(url), { requestInit: { headers } }));
  for (const client of [v1, v2]) {
    const answer = await client.callTool({ name: "account", arguments: {} });
    expect(answer.structuredContent).toMatchObject({ balance: expect.any(Number) as number, key: { name: "test" } });
    await client.close();
  }
}

/** Streams a chat with OpenAI's client and the settings of a program. */
async function expectChats(baseURL: string, apiKey: string): Promise<void> {
  const client = new OpenAI({ baseURL, apiKey });
  expect((await client.models.list()).data.map(({ id }) => id)).toContain("sandbox-text");
  const messages = [{ role: "user" as const, content: "hello" }];
  const stream = await client.chat.completions.create({ model: "sandbox-text", messages, stream: true });
  let text = "";
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? "";
  expect(text).not.toBe("");
}

/** Sends a message to Anthropic's path, with the settings of a program. */
async function expectMessages(baseUrl: string, headers: Record<string, string>, model: string): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/messages`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", "anthropic-version": "2023-06-01" },
    body: JSON.stringify({ model, max_tokens: 100, messages: [{ role: "user", content: "hello" }] }),
  });
  expect(await response.json()).toMatchObject({ type: "message", content: [{ type: "text" }] });
}

/** Returns a configuration with the variables of a program replaced, as the program does it. */
const withKey = <T>(value: T, variable: string): T =>
  JSON.parse(JSON.stringify(value).replaceAll(`\${${variable}}`, key)) as T;

const url = z.url({ protocol: /^https?$/ });
const headers = z.strictObject({ Authorization: z.string().startsWith("Bearer ") });
const httpServer = z.strictObject({ type: z.literal("http"), url, headers });
const input = z.strictObject({
  type: z.literal("promptString"),
  id: z.string(),
  description: z.string(),
  password: z.literal(true),
});

describe("Claude Code", () => {
  test("the variables reach the hub's messages, by both ways to sign in", async () => {
    const program = `claude() { env; }\n${snippetOf("claude-code", "Terminal")}`;
    const printed = (await runOrThrow("env", ["-i", `PATH=${process.env.PATH}`, "sh", "-ec", program])).split("\n");
    const env = new Map(printed.map((line) => line.split("=") as [string, string]));
    const token = { authorization: `Bearer ${env.get("ANTHROPIC_AUTH_TOKEN")}` };
    await expectMessages(env.get("ANTHROPIC_BASE_URL")!, token, env.get("ANTHROPIC_MODEL")!);
    const file = z.strictObject({ env: z.record(z.string(), z.string()) });
    const { env: settings } = file.parse(JSON.parse(snippetOf("claude-code", "~/.claude/settings.json")));
    const apiKey = { "x-api-key": settings.ANTHROPIC_API_KEY! };
    await expectMessages(settings.ANTHROPIC_BASE_URL!, apiKey, settings.ANTHROPIC_MODEL!);
  });

  test("the command adds a server by which the official clients connect", async () => {
    // Prints what the command passes on, one value a line.
    const program = `claude() { printf '%s\\n' "$@"; }\n${snippetOf("claude-code", "Terminal, MCP")}`;
    const passed = (await runOrThrow("sh", ["-ec", program])).trim().split("\n");
    const [name, address, ...rest] = passed.slice(6);
    expect([passed.slice(0, 6), name]).toEqual([
      ["mcp", "add", "--transport", "http", "--scope", "user"],
      "generation-hub",
    ]);
    expect(rest[0]).toBe("--header");
    const [header, value] = rest[1]!.split(": ") as [string, string];
    await expectConnects({ url: address!, headers: { [header]: value } });
  });

  test("the file of a project does", async () => {
    const file: unknown = JSON.parse(snippetOf("claude-code", ".mcp.json"));
    const { mcpServers } = z.strictObject({ mcpServers: z.record(z.string(), httpServer) }).parse(file);
    await expectConnects(withKey(mcpServers["generation-hub"]!, "HUB_API_KEY"));
  });
});

describe("Codex", () => {
  test.each(["~/.codex/config.toml", "~/.codex/config.toml, built-in provider"])(
    "%s reaches the hub",
    async (title) => {
      const [, baseURL] = /base_url = "(.+)"/.exec(snippetOf("codex", title))!;
      const [, model] = /^model = "(.+)"/.exec(snippetOf("codex", title))!;
      const client = new OpenAI({ baseURL, apiKey: key });
      expect((await client.responses.create({ model: model!, input: "hello" })).output_text).not.toBe("");
    },
  );
});

describe("OpenCode", () => {
  test("the provider and the model of the file are the hub's", async () => {
    const file = JSON.parse(snippetOf("opencode", "opencode.json")) as {
      model: string;
      provider: Record<string, { options: { baseURL: string }; models: object }>;
    };
    const [provider, model] = file.model.split("/") as [string, string];
    expect(Object.keys(file.provider[provider]!.models)).toEqual([model]);
    await expectChats(file.provider[provider]!.options.baseURL, key);
  });
});

describe("Cline", () => {
  test("both providers reach the hub", async () => {
    const openAi = settingsOf("cline", 0);
    await expectChats(openAi.get("Base URL")!, openAi.get("OpenAI Compatible API Key")!);
    const anthropic = settingsOf("cline", 1);
    const credential = { "x-api-key": anthropic.get("Anthropic API Key")! };
    await expectMessages(anthropic.get("Custom base URL")!, credential, "sandbox-text");
  });
});

describe("Cursor", () => {
  const server = z.strictObject({ url, headers });

  test("the file adds a server by which the official clients connect", async () => {
    const file: unknown = JSON.parse(snippetOf("cursor", "~/.cursor/mcp.json"));
    const { mcpServers } = z.strictObject({ mcpServers: z.record(z.string(), server) }).parse(file);
    await expectConnects(mcpServers["generation-hub"]!);
  });

  test("the link does, and has no key in it", async () => {
    const link = linkOf("cursor");
    expect([link.protocol, link.host, link.pathname]).toEqual(["cursor:", "anysphere.cursor-deeplink", "/mcp/install"]);
    expect(link.searchParams.get("name")).toBe("generation-hub");
    const config = Buffer.from(link.searchParams.get("config")!, "base64").toString();
    expect(config).not.toContain(key);
    await expectConnects(withKey(server.parse(JSON.parse(config)), "env:HUB_API_KEY"));
  });
});

describe("VS Code", () => {
  test("the file adds a server by which the official clients connect, and an input for its key", async () => {
    const file: unknown = JSON.parse(snippetOf("vs-code", ".vscode/mcp.json"));
    const shape = z.strictObject({ inputs: z.array(input), servers: z.record(z.string(), httpServer) });
    const { inputs, servers } = shape.parse(file);
    await expectConnects(withKey(servers["generation-hub"]!, `input:${inputs[0]!.id}`));
  });

  test("the link does, and has no key in it", async () => {
    const link = linkOf("vs-code");
    expect([link.protocol, link.pathname]).toEqual(["vscode:", "mcp/install"]);
    const text = decodeURIComponent(link.search.slice(1));
    expect(text).not.toContain(key);
    const shape = httpServer.extend({ name: z.literal("generation-hub"), inputs: z.array(input) });
    const { inputs, url, headers } = shape.parse(JSON.parse(text));
    await expectConnects(withKey({ url, headers }, `input:${inputs[0]!.id}`));
  });
});

describe("Claude Desktop", () => {
  test("the address is that of the hub's tools, which ask for a credential", async () => {
    const address = settingsOf("claude-desktop", 0).get("Remote MCP server URL")!;
    const response = await fetch(address, { method: "POST", body: "{}" });
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ]);
    await expectConnects({ url: address, headers: { Authorization: `Bearer ${key}` } });
  });
});

describe("Open WebUI", () => {
  /** Returns a hub's address for programs on its own machine, given the one for containers. */
  const fromContainer = (url = "") => url.replace("host.docker.internal", "127.0.0.1");

  test("the connection and the variables reach the hub's chats and pictures", async () => {
    const settings = settingsOf("open-webui", 0);
    await expectChats(fromContainer(settings.get("URL")), settings.get("Key")!);
    const { services } = parseYaml(snippetOf("open-webui", "compose.yaml")) as {
      services: { "open-webui": { environment: Record<string, string> } };
    };
    const { environment: env } = services["open-webui"];
    await expectChats(fromContainer(env.OPENAI_API_BASE_URL), env.OPENAI_API_KEY!);
    const client = new OpenAI({
      baseURL: fromContainer(env.IMAGES_OPENAI_API_BASE_URL),
      apiKey: env.IMAGES_OPENAI_API_KEY,
    });
    const { data } = await client.images.generate({ model: env.IMAGE_GENERATION_MODEL, prompt: "a" });
    expect(data![0]!.b64_json!.length).toBeGreaterThan(100);
  });
});

describe("n8n", () => {
  test("both credentials open the hub", async () => {
    const openAi = settingsOf("n8n", 0);
    await expectChats(openAi.get("Base URL")!, openAi.get("API Key")!);
    const tool = settingsOf("n8n", 1);
    const headers = { Authorization: `Bearer ${tool.get("Bearer Token")!}` };
    await expectConnects({ url: tool.get("Endpoint")!, headers });
  });
});

const hasPython = (await runProgram("python3", ["--version"])).code === 0;
if (!hasPython) process.stdout.write("skipped, the syntax of Python in quick starts: no program python3\n");

const programs = guides.flatMap(({ id, write }) =>
  write(values).flatMap(({ snippet }) =>
    snippet?.language === "ts" || snippet?.language === "python" ? [[id, snippet.title, snippet] as const] : [],
  ),
);

// The clients' tests run these programs where their libraries are installed.
test.each(programs)(
  "the program of %s in %s is valid, and its settings reach the hub",
  async (_id, _title, snippet) => {
    await checkSyntax(snippet);
    const [, baseUrl] = /base_?url\s*[:=]\s*"([^"]+)"/i.exec(snippet.code)!;
    expect(snippet.code).toMatch(/\{ HUB_API_KEY \} = process\.env|os\.environ\["HUB_API_KEY"\]/);
    if (baseUrl!.endsWith("/v1")) await expectChats(baseUrl!, key);
    else await expectMessages(baseUrl!, { "x-api-key": key }, "sandbox-text");
  },
);

async function checkSyntax({ language, code }: Snippet): Promise<void> {
  if (language === "ts") {
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext };
    const { diagnostics } = ts.transpileModule(code, { reportDiagnostics: true, compilerOptions: options });
    expect(diagnostics).toEqual([]);
  } else if (hasPython) await runOrThrow("python3", ["-c", "import ast, sys; ast.parse(sys.argv[1])", code]);
}

test.each(guides)(
  "docs/quickstarts/$id.md has the steps of the console: npm run quickstarts writes them",
  async (guide) => {
    const page = await readFile(pageOf(guide), "utf8");
    expect(replaceSteps(page, guide)).toBe(page);
  },
);

test("no link has a key, and only what can be a key gets into a snippet", () => {
  const links = guides.flatMap(({ write }) => write(values).flatMap(({ link }) => link?.href ?? []));
  expect(links).toHaveLength(2);
  for (const link of links) expect(decodeURIComponent(link)).not.toContain(key);
  expect([key, "service_sk_aB-9_"].map(isKey)).toEqual([true, true]);
  const broken = [PLACEHOLDER_KEY, "", 'service_sk_a"; rm -rf "', "service_sk_$(id)", "service_sk_a\nb", "sk-a"];
  expect(broken.map(isKey)).toEqual(broken.map(() => false));
  expect(DOCUMENTED.key).toBe(PLACEHOLDER_KEY);
});

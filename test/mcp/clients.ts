import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { onTestFinished } from "vitest";
import { ERROR_META } from "../../server/api/mcp/tool-error";

export interface Content {
  type: string;
  text?: string;
  uri?: string;
  data?: string;
  mimeType?: string;
}

export interface ToolAnswer {
  isError: boolean;
  output: Record<string, unknown>;
  content: Content[];
  /** The text of an error. */
  text: string;
  error: Record<string, unknown>;
}

/** What both official clients can do. */
export interface McpClient {
  listTools(): Promise<{ name: string; inputSchema: unknown; outputSchema?: unknown; annotations?: object }[]>;
  /** The revision of the protocol that was agreed on. */
  revision: string | undefined;
  call(name: string, args?: Record<string, unknown>): Promise<ToolAnswer>;
}

const info = { name: "test", version: "1" };

const connectors = {
  async v1(url: string, headers: Record<string, string>) {
    const client = new ClientV1(info);
    await client.connect(new TransportV1(new URL(`${url}/mcp`), { requestInit: { headers } }));
    return client;
  },
  async v2(url: string, headers: Record<string, string>) {
    const client = new ClientV2(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(new TransportV2(new URL(`${url}/mcp`), { requestInit: { headers } }));
    return client;
  },
};
export type Version = keyof typeof connectors;
export const versions: Version[] = ["v1", "v2"];

/** Connects an official client with a key, and closes it after the test. */
export async function connectClient(
  version: Version,
  url: string,
  key: string,
  extra: Record<string, string> = {},
): Promise<McpClient> {
  const client = await connectors[version](url, { authorization: `Bearer ${key}`, ...extra });
  onTestFinished(() => client.close());
  return {
    revision: client instanceof ClientV2 ? client.getNegotiatedProtocolVersion() : undefined,
    async listTools() {
      return (await client.listTools()).tools;
    },
    async call(name, args = {}) {
      return readAnswer(await client.callTool({ name, arguments: args }));
    },
  };
}

function readAnswer(result: Record<string, unknown>): ToolAnswer {
  const content = result.content as Content[];
  const meta = (result._meta ?? {}) as Record<string, Record<string, unknown>>;
  return {
    isError: result.isError === true,
    output: (result.structuredContent ?? {}) as Record<string, unknown>,
    content,
    text: content.map(({ text }) => text ?? "").join("\n"),
    error: meta[ERROR_META] ?? {},
  };
}

import type { CallToolResult, McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { runBodyWork } from "../../context";
import { consumeRateLimit, rateLimitedError } from "../../domain/rates";
import { memoizePer } from "../../lib/memoize-per";
import { parseOrThrow } from "../middleware/body";
import type { Exchange, Tool } from "./tool";
import { toErrorResult } from "./tool-error";
import { accountTool } from "./tools/account";
import { cancelGenerationTool, generateTool, getGenerationTool } from "./tools/generations";
import { describeModelTool, estimateTool, listModelsTool } from "./tools/models";
import { uploadFileTool } from "./tools/upload-file";

/** The tools of the MCP server, in the order in which an agent needs them. */
export const tools = [
  listModelsTool,
  describeModelTool,
  estimateTool,
  generateTool,
  getGenerationTool,
  cancelGenerationTool,
  uploadFileTool,
  accountTool,
];

/** Registers a tool for one request. Whatever it throws becomes a result that says what to do next. */
export function registerTool(server: McpServer, tool: Tool, exchange: Exchange): void {
  const { name, title, description, annotations, input, output } = tool;
  server.registerTool(
    name,
    { title, description, annotations, inputSchema: describeOnly(input), outputSchema: describeOnly(output) },
    (args: unknown) => callTool(tool, exchange, args),
  );
}

async function callTool(tool: Tool, exchange: Exchange, args: unknown): Promise<CallToolResult> {
  const { ctx } = exchange;
  try {
    if (tool.cost) {
      const { allowed, waitMs, name } = await consumeRateLimit(ctx.hub, ctx.account.id, tool.cost);
      if (!allowed) throw rateLimitedError(waitMs, `This account has used up its ${name} for now.`);
    }
    const input = await runBodyWork(ctx, () => parseOrThrow(tool.input, args ?? {}));
    const { output, content = [] } = await tool.handler(exchange, input);
    // Clients of older protocol revisions, without structured content, read the text.
    const text = { type: "text" as const, text: JSON.stringify(output) };
    return { structuredContent: { ...output }, content: [text, ...content] };
  } catch (error) {
    return await toErrorResult(exchange, tool.name, error);
  }
}

/**
 * Returns a schema that the MCP library publishes but does not validate: callTool() validates arguments, whose errors name the
 * location and the remedy. It is computed once, because every request has its own server.
 */
const describeOnly = memoizePer((schema: z.ZodObject): StandardSchemaWithJSON => {
  const { jsonSchema } = schema["~standard"];
  const draft = { target: "draft-2020-12" } as const;
  const [input, output] = [jsonSchema.input(draft), jsonSchema.output(draft)];
  return {
    "~standard": {
      version: 1,
      vendor: "generation-hub",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => input, output: () => output },
    },
  };
});

import type { CallToolResult, ToolAnnotations } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { RateLimitBucket } from "../../domain/rates";
import type { Callers } from "../operation";
import type { RequestContext } from "../request-context";

/** One request to the MCP server. */
export interface Exchange {
  ctx: Callers["key"];
  context: RequestContext;
  /** Aborts when the client disconnects. */
  disconnected: AbortSignal;
}

/** The result of a tool: structured output, and content that is shown with it. */
export interface ToolResult<Output> {
  output: Output;
  content?: CallToolResult["content"];
}

interface ToolDeclaration<Input extends z.ZodObject, Output extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  /** The limit that a call counts against, in addition to the read that every message counts as. */
  cost?: RateLimitBucket;
  handler(
    exchange: Exchange,
    input: z.output<Input>,
  ): ToolResult<z.input<Output>> | Promise<ToolResult<z.input<Output>>>;
}

/** Any tool, without the types of its schemas. */
export interface Tool extends Omit<ToolDeclaration<z.ZodObject, z.ZodObject>, "handler"> {
  handler(exchange: Exchange, input: unknown): ToolResult<object> | Promise<ToolResult<object>>;
}

/** Returns the declaration as a Tool; the handler's argument has the type of its schema. */
export const defineTool = <Input extends z.ZodObject, Output extends z.ZodObject>(
  declaration: ToolDeclaration<Input, Output>,
): Tool => declaration;

/** For tools that only read, and only from the hub. */
export const readOnly: ToolAnnotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import type { Context } from "hono";
import type { Hub } from "../../domain/hub";
import { AppError, invalidInput, isAppError } from "../../errors";
import type { Reservation } from "../../lib/byte-budget";
import { HUB_NAME } from "../../lib/hub-name";
import { isTrustedHost } from "../../lib/private-name";
import { admitRequest, limitRate } from "../middleware/rate-limit";
import { authenticate } from "../middleware/authenticate";
import { checkJsonType, isLargeBody, readJsonBytes } from "../middleware/body";
import { rejectEncodedBody } from "../middleware/bytes";
import { drainRequestBody } from "../middleware/drain-request-body";
import { parseJson } from "../middleware/json";
import { problemResponse } from "../middleware/problem";
import { describeChallenge } from "../oauth/metadata";
import type { Callers } from "../operation";
import { createRequestContext, type Host, type RequestContext, runInRequestSpan } from "../request-context";
import { reauthenticateIfStale } from "../serve";
import { registerTool, tools } from "./tools";
import type { Exchange } from "./tool";

/** Fits the content of a file in base64 and the rest of its call. */
const BODY_BOUNDS = { maxBytes: 2 * 1024 * 1024, maxValues: 20_000 };
/** Revision 2025-03-26 has arrays of messages. */
const MAX_MESSAGES = 20;
const INSTRUCTIONS =
  "Generates images, videos, sound and 3D with many models, paid from a prepaid balance in EUR. Find a model with " +
  "list_models, read its parameters with describe_model, see the price with estimate, then call generate. Give " +
  "generate an idempotency_key of your own for each result that you want: repeating the call with it never charges twice.";

/**
 * Returns the handler of `POST /mcp`: it checks a request in the order of REST (401, 403, 429, 413, 400), then hands its
 * messages to the MCP library, for old and new revisions of the protocol. No state is kept between requests.
 */
export function createMcpRoute(hub: Hub): (c: Context<Host>) => Promise<Response> {
  const handler = createMcpHandler(({ authInfo }) => createServer(authInfo!.extra as unknown as Exchange), {
    onerror: (error) => hub.log.debug({ err: error }, "MCP request rejected"),
  });
  return (c) => {
    const context = createRequestContext(hub, c, "problem", "mcp");
    const request = c.req.raw;
    return runInRequestSpan(context, request, () => handleMessages(context, request));
  };

  async function handleMessages(context: RequestContext, request: Request): Promise<Response> {
    let reservation: Reservation | undefined;
    let release: (() => void) | undefined;
    try {
      release = admitRequest(context, request, { auth: "mcp", cost: "write" });
      const caller = (await authenticate(context, request, { auth: "mcp" })) as Callers["key"];
      const { account } = caller;
      checkOrigin(hub.env.BASE_URL, request.headers);
      await limitRate(context, caller, "read");
      reservation = hub.bodyBudget.open(account.id);
      const { messages, isLarge } = await readMessages(context, request, caller, reservation);
      const ctx = { ...(await reauthenticateIfStale(context, request, { auth: "mcp" }, caller)), isLarge };
      const exchange: Exchange = { ctx, context, disconnected: request.signal };
      // The library passes `extra` to its servers; it does not get the key.
      const authInfo = { token: "", clientId: "", scopes: [], extra: { ...exchange } };
      const response = await handler.fetch(request, { authInfo, parsedBody: messages });
      for (const [name, value] of Object.entries(context.headers)) response.headers.set(name, value);
      return onBodyEnd(response, () => reservation?.release());
    } catch (error) {
      reservation?.release();
      return drainRequestBody(request, await problemResponse(context, withChallenge(hub, request, error)));
    } finally {
      release?.();
    }
  }
}

/** Returns a 401 with the challenge that tells clients how to connect; other errors unchanged. */
function withChallenge(hub: Hub, { headers }: Request, error: unknown): unknown {
  if (!isAppError(error) || error.status !== 401) return error;
  const challenge = describeChallenge(hub, headers.has("authorization"));
  return new AppError(error.code, error.message, error.extras, { ...error.headers, "WWW-Authenticate": challenge });
}

/** Reads the messages of a request, each of which counts as a read. */
async function readMessages(
  context: RequestContext,
  request: Request,
  caller: Callers["key"],
  reservation: Reservation,
): Promise<{ messages: unknown; isLarge: boolean }> {
  rejectEncodedBody(request);
  checkJsonType(request.headers.get("content-type"));
  const { bytes, values } = await readJsonBytes(request, BODY_BOUNDS, reservation);
  const messages = await parseJson(context.hub.json, bytes);
  if (Array.isArray(messages)) {
    if (messages.length > MAX_MESSAGES) throw invalidInput("body", `must hold at most ${MAX_MESSAGES} messages`);
    for (let index = 1; index < messages.length; index += 1) await limitRate(context, caller, "read");
  }
  for (const message of [messages].flat()) checkMembers(message);
  return { messages, isLarge: isLargeBody(bytes.byteLength, values) };
}

function createServer(exchange: Exchange): McpServer {
  const server = new McpServer(
    { name: "generation-hub", title: HUB_NAME, version: "1" },
    { instructions: INSTRUCTIONS, capabilities: { tools: { listChanged: false } } },
  );
  for (const tool of tools) registerTool(server, tool, exchange);
  return server;
}

/** Maximum members of a part of a message: the library copies each several times. */
const MAX_MEMBERS = 500;
const MAX_DEPTH = 3;

/** Throws 400 for a message with too many members in one part. The tool checks the content of its arguments. */
function checkMembers(part: unknown, place = "body", depth = 0): void {
  if (typeof part !== "object" || part === null) return;
  const members = Object.entries(part);
  if (members.length > MAX_MEMBERS) throw invalidInput(place, `must have at most ${MAX_MEMBERS} members`);
  if (depth === MAX_DEPTH || place === "params.arguments") return;
  for (const [name, member] of members) checkMembers(member, depth === 0 ? name : `${place}.${name}`, depth + 1);
}

/** Returns the response and calls `onEnd` once an event stream is sent or its client disconnects; otherwise at once. */
function onBodyEnd(response: Response, onEnd: () => void): Response {
  if (!response.body || !response.headers.get("content-type")?.startsWith("text/event-stream")) {
    onEnd();
    return response;
  }
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      onEnd();
    },
    async cancel(reason) {
      onEnd();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

/**
 * Throws 403 for an opaque `Origin` such as `null`, and for a `Host` that is neither the hub's address nor a private name,
 * which prevents DNS rebinding. Other origins are subject to CORS, and need a key.
 */
export function checkOrigin(baseUrl: string, headers: Headers): void {
  const own = new URL(baseUrl);
  const origin = headers.get("origin");
  if (origin !== null && !(URL.canParse(origin) && new URL(origin).host))
    throw rejectHeader("Origin", "must name a site");
  if (!isTrustedHost(headers.get("host"), own.hostname))
    throw rejectHeader("Host", `must be the name of this hub: call it at ${own.origin}`);
}

const rejectHeader = (header: string, message: string) =>
  new AppError("invalid_input", `${header}: ${message}`, { errors: { [header]: [message] } }, {}, 403);

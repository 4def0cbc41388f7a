import { z } from "@hono/zod-openapi";
import { checkStreamed, getPreview, streamAccount, streamGeneration, type StreamRequest } from "../domain/streams";
import { defineOperation, type HandlerArgs, type ImmediateResult } from "./operation";
import { PreviewQuery, StreamQuery } from "./schemas/stream";
import { uuid } from "./schemas/values";

const LastEventId = z.object({
  "Last-Event-ID": z.string().optional().openapi({
    description: "The id of the last event that you received, to continue after it",
  }),
});
const shared = { auth: "key-or-session", access: "read", cost: "read", requestHeaders: LastEventId } as const;
const CONTENT = "text/event-stream";
const HEADERS = { "Content-Type": `${CONTENT}; charset=utf-8`, "X-Accel-Buffering": "no" };
const params = z.object({ id: uuid.openapi({ description: "Id of a generation" }) });
const format =
  "`event: generation` has a whole generation as its data, with `queue_position` while it waits at the provider, " +
  "`stored_outputs` and `preview` while it runs. Every event " +
  "has an `id`: send the last one as `Last-Event-ID` to continue after it, without a lost or repeated change of status. " +
  "Comments keep the connection open.";

const readStreamRequest = ({ request, isAllowed }: HandlerArgs<"key-or-session", unknown, unknown>): StreamRequest => ({
  lastEventId: request.headers.get("last-event-id"),
  isAllowed,
});

/** Returns the response of a stream; 204 stops browsers from opening it again. */
const respond = (content: ReadableStream<Uint8Array> | null): ImmediateResult =>
  content ? { headers: HEADERS, content } : { status: 204, content: null };

export const streamGenerationEvents = defineOperation({
  ...shared,
  name: "streamGeneration",
  method: "get",
  path: "/api/v1/hub/generations/{id}/events",
  tag: "Generations",
  summary: "Follow a generation",
  description:
    `Sends the generation at once and at each change, and ends after the final one. ${format} ` +
    "`event: log` has a line of the provider's or the worker's log, `{at, line}`.",
  params,
  responses: {
    200: { description: "The events of the generation", content: CONTENT },
    204: { description: "You have already received the final event" },
  },
  problems: ["generation_not_found", "invalid_input"],
  async handler(args) {
    if (args.request.method !== "HEAD")
      return respond(await streamGeneration(args.ctx, args.params.id!, readStreamRequest(args)));
    await checkStreamed(args.ctx, args.params.id!);
    return { headers: HEADERS, content: null };
  },
});

export const getPreviewOperation = defineOperation({
  auth: "key-or-session",
  access: "read",
  cost: "read",
  name: "getPreview",
  method: "get",
  path: "/api/v1/hub/generations/{id}/preview",
  tag: "Generations",
  summary: "Download a preview",
  description:
    "Returns the latest preview of a running generation, 256 pixels wide, if its provider or worker makes previews. " +
    "Events of the generation have its URL as `preview.url`. There is none after the end.",
  params,
  query: PreviewQuery,
  responses: { 200: { description: "The picture, as WebP", content: "image/*" } },
  problems: ["generation_not_found", "resource_not_found"],
  async handler({ ctx, params }) {
    const content = new Uint8Array(await getPreview(ctx, params.id!));
    return { headers: PREVIEW_HEADERS, content };
  },
});

const PREVIEW_HEADERS = {
  "Content-Type": "image/webp",
  "Cache-Control": "private, no-store",
  "Content-Security-Policy": "sandbox; default-src 'none'",
};

export const streamEvents = defineOperation({
  ...shared,
  name: "streamEvents",
  method: "get",
  path: "/api/v1/hub/events/stream",
  tag: "Webhooks",
  summary: "Follow an account",
  description:
    "Sends all changes of your generations as they happen, for programs without a public address. `event: webhook` has the " +
    `envelope that webhooks receive, unless \`webhooks=false\`. ${format}`,
  query: StreamQuery,
  responses: { 200: { description: "The events of the account", content: CONTENT } },
  problems: [],
  async handler(args) {
    if (args.request.method === "HEAD") return { headers: HEADERS, content: null };
    return respond(await streamAccount(args.ctx, { ...readStreamRequest(args), withWebhooks: args.query.webhooks }));
  },
});

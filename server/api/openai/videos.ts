import { z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { findFile } from "../../domain/files";
import type { Hub } from "../../domain/hub";
import { unusableOutput } from "../../domain/openai";
import { deleteVideo, findVideo, findVideoOutput, listVideos, serializeVideo, videoOrders } from "../../domain/videos";
import { AppError } from "../../errors";
import { serveContent } from "../content";
import { problemResponse } from "../middleware/problem";
import { type Callers, defineOperation } from "../operation";
import { createRequestContext, type Host } from "../request-context";
import { OpenAiDeletedVideo, OpenAiVideo, OpenAiVideoList } from "../schemas/openai";
import { limit } from "../schemas/values";
import { setGenerationId, toPattern } from "./route";
import { generationHeaders } from "./shared";

const PATH = "/v1/videos";
const shared = { tag: "Generations", auth: "key", envelope: "openai" } as const;
const params = z.object({ id: z.string().openapi({ description: "Id of a video" }) });
const headers = { "X-Generation-Id": generationHeaders["X-Generation-Id"] };

/** Returns the video that a path names, and names its generation in the response. */
async function findNamed(ctx: Callers["key"], request: Request, { id }: Record<string, string>) {
  const video = await findVideo(ctx, id!);
  setGenerationId(request, video.id);
  return video;
}

export const listVideosOperation = defineOperation({
  ...shared,
  name: "listOpenAiVideos",
  method: "get",
  path: PATH,
  summary: "List videos",
  description: "Returns the videos that you created at this path, newest first.",
  cost: "read",
  isConditional: true,
  query: z.object({
    limit: limit(20, 100),
    after: z.uuid("must be the id of a video").optional().openapi({ description: "`last_id` of the previous page" }),
    order: z
      .enum(videoOrders, "must be asc or desc")
      .default("desc")
      .openapi({ description: "`asc` lists the oldest first" }),
  }),
  responses: { 200: { description: "One page of videos", schema: OpenAiVideoList } },
  problems: [],
  async handler({ ctx, query: { limit, order, after } }) {
    const { videos, hasMore } = await listVideos(ctx, { limit, order, after });
    const [first_id, last_id] = [videos[0]?.id ?? null, videos.at(-1)?.id ?? null];
    return {
      json: {
        object: "list",
        data: videos.map((video) => serializeVideo(ctx.hub, video)),
        first_id,
        last_id,
        has_more: hasMore,
      },
    };
  },
});

export const getVideo = defineOperation({
  ...shared,
  name: "getOpenAiVideo",
  method: "get",
  path: `${PATH}/{id}`,
  summary: "Retrieve a video",
  description: "Returns the status of a video that you created at `/v1/videos`.",
  cost: "read",
  isConditional: true,
  params,
  responses: { 200: { description: "The video", schema: OpenAiVideo, headers } },
  problems: ["generation_not_found"],
  handler: async ({ ctx, params, request }) => ({
    json: serializeVideo(ctx.hub, await findNamed(ctx, request, params)),
  }),
});

export const getVideoContent = defineOperation({
  ...shared,
  name: "getOpenAiVideoContent",
  method: "get",
  path: `${PATH}/{id}/content`,
  summary: "Download a video",
  description: "Returns the content of a completed video, as `GET /api/v1/hub/files/{id}` does. Supports `Range`.",
  cost: "read",
  params,
  query: z.object({
    variant: z
      .enum(["video", "thumbnail", "spritesheet"], "must be video, thumbnail or spritesheet")
      .default("video")
      .openapi({ description: "The hub has only the video itself" }),
  }),
  requestHeaders: z.object({ Range: z.string().optional().openapi({ example: "bytes=0-1023" }) }),
  responses: {
    200: { description: "The content", content: "*/*", headers },
    206: { description: "The requested range", content: "*/*", headers },
    302: {
      description: "The content is at the bucket, if the operator has set this up",
      headers: { Location: "URL of the content, valid for a minute" },
    },
    304: { description: "Not modified" },
  },
  problems: ["generation_not_found", "resource_not_found", "invalid_state", "file_expired", "range_not_satisfiable"],
  async handler({ hub, ctx, params, query: { variant }, request }) {
    const video = await findNamed(ctx, request, params);
    if (variant !== "video") throw new AppError("resource_not_found", `This hub has no ${variant} of a video.`);
    const output = findVideoOutput(video);
    if (output) return serveContent(hub, await findFile(ctx, output.id), request);
    if (video.status === "succeeded") throw unusableOutput();
    const { status } = serializeVideo(ctx.hub, video);
    throw new AppError("invalid_state", `The video is ${status}.`, {}, { "x-should-retry": "false" });
  },
});

export const deleteVideoOperation = defineOperation({
  ...shared,
  name: "deleteOpenAiVideo",
  method: "delete",
  path: `${PATH}/{id}`,
  summary: "Delete a video",
  description:
    "Cancels a video that has not started, at no cost, or deletes the content of one that has ended. Its generation and " +
    "its charge stay in your account. Returns 409 while a provider is making the video, or an unfinished generation uses it.",
  cost: "write",
  params,
  responses: { 200: { description: "The video is deleted", schema: OpenAiDeletedVideo, headers } },
  problems: ["generation_not_found", "generation_not_cancelable", "file_in_use"],
  async handler({ ctx, params, request }) {
    const video = await findNamed(ctx, request, params);
    await deleteVideo(ctx, video);
    return { json: { id: video.id, object: "video.deleted", deleted: true } };
  },
});

/** Paths of OpenAI's API below `/v1/videos` that the hub does not support, and what they do. */
const UNSUPPORTED = {
  [`${PATH}/{id}/remix`]: "remix videos",
  [`${PATH}/edits`]: "edit videos",
  [`${PATH}/extensions`]: "extend videos",
  [`${PATH}/characters`]: "make characters from videos",
  [`${PATH}/characters/{id}`]: "make characters from videos",
};

/** Rejects calls of OpenAI's SDKs that the hub does not support. Registered before the paths of a video. */
export function rejectUnsupported(app: Hono<Host>, hub: Hub): void {
  for (const [path, action] of Object.entries(UNSUPPORTED))
    app.all(toPattern(path), (c) => {
      const error = new AppError("resource_not_found", `This hub does not ${action}. Use POST ${PATH} with a prompt.`);
      return problemResponse(createRequestContext(hub, c, "openai"), error);
    });
}

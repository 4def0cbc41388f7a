import { z } from "@hono/zod-openapi";
import { findFile } from "../domain/files/open";
import { findSignedFile } from "../domain/files/sign";
import { serveContent } from "./content";
import { operation } from "./operation";
import { uuid } from "./schemas/values";

const headers = {
  ETag: "SHA-256 of the content, quoted",
  "Content-Disposition": "`inline` for images, audio and video, else `attachment`",
};

export const getFile = operation({
  name: "getFile",
  method: "get",
  path: "/api/v1/hub/files/{id}",
  tag: "Files",
  summary: "The content of a file",
  description:
    "With the key or the console session of its owner, or by a signed link. Takes `Range`, `If-Range` and `If-None-Match`; " +
    "`HEAD` answers the same without the content.",
  auth: "read-file",
  cost: "read",
  params: z.object({ id: uuid.openapi({ description: "Id of a file" }) }),
  query: z.object({
    expires: z
      .string()
      .max(20)
      .default("")
      .openapi({ description: "Unix seconds; of a signed link", example: "1795248000" }),
    signature: z.string().max(100).default("").openapi({ description: "Of a signed link" }),
  }),
  requestHeaders: z.object({
    Range: z.string().optional().openapi({ example: "bytes=0-1023" }),
    "If-Range": z.string().optional(),
    "If-None-Match": z.string().optional(),
  }),
  responses: {
    200: { description: "The content", content: "application/octet-stream", headers },
    206: { description: "The range that was asked for", content: "application/octet-stream", headers },
    304: { description: "The caller has this content", headers },
  },
  problems: ["resource_not_found", "file_expired", "range_not_satisfiable"],
  async handler({ hub, ctx, params, query, request }) {
    const file = ctx ? await findFile(ctx, params.id!) : await findSignedFile(hub, params.id!, query);
    return serveContent(hub, file, request);
  },
});

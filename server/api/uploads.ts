import { z } from "@hono/zod-openapi";
import { createDirectUpload } from "../domain/uploads";
import { serializeFile } from "../domain/files";
import { acceptDirectUpload } from "../domain/inputs";
import { defineOperation } from "./operation";
import { File } from "./schemas/file";
import { DirectUpload, DirectUploadRequest } from "./schemas/upload";
import { uuid } from "./schemas/values";

const PATH = "/api/v1/hub/uploads";
const params = z.object({ id: uuid.openapi({ description: "Id of an upload" }) });
const shared = { tag: "Files", auth: "key-or-session", access: "develop", cost: "write" } as const;

export const createUpload = defineOperation({
  ...shared,
  name: "createUpload",
  method: "post",
  path: PATH,
  summary: "Begin an upload to the bucket",
  description:
    "Returns the request that sends a file of up to 5 GiB straight to the hub's bucket: one `PUT` to `url` with these " +
    "headers, before `expires_at`. The size counts toward your quota at once, and no longer if the upload expires without " +
    "being completed. A hub without a bucket responds with 404; use `POST /api/v1/hub/files` there.",
  body: DirectUploadRequest,
  responses: { 201: { description: "The upload", schema: DirectUpload, links: { completeUpload: "/id" } } },
  problems: ["resource_not_found", "payload_too_large"],
  handler: async ({ ctx, body }) => ({ status: 201, json: await createDirectUpload(ctx, body) }),
});

export const completeUpload = defineOperation({
  ...shared,
  name: "completeUpload",
  method: "post",
  path: `${PATH}/{id}/complete`,
  summary: "Complete an upload to the bucket",
  description:
    "Creates a file from the uploaded content, after checking its size and hash and detecting its type. Possible until " +
    "one hour after `expires_at`; repeating the request returns the same file. Content of the wrong size or hash or of an " +
    "unsupported type is rejected and removed; until `expires_at` you can send the right content, and the size stays reserved.",
  params,
  responses: {
    201: {
      description: "The stored file",
      schema: File,
      headers: { Location: "URL of the file" },
      links: { getFile: "/id", deleteFile: "/id" },
    },
  },
  problems: ["invalid_input", "resource_not_found", "invalid_state", "file_expired"],
  async handler({ ctx, params }) {
    const file = await acceptDirectUpload(ctx, params.id!);
    return { status: 201, headers: { Location: `/api/v1/hub/files/${file.id}` }, json: serializeFile(ctx.hub, file) };
  },
});

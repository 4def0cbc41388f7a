import { z } from "@hono/zod-openapi";
import { onOutputFetched } from "../domain/erasure";
import { deleteFile, findFile, listFiles, serializeFile, serializeListedFile, thumbnailWidths } from "../domain/files";
import { findSignedFile } from "../domain/input-files";
import { acceptDirectUpload, acceptUpload } from "../domain/inputs";
import { getProvenance, identifyFiles, serializeProvenance } from "../domain/provenance";
import { createDirectUpload } from "../domain/uploads";
import { onSentWhole, serveContent, serveThumbnail } from "./content";
import { hashContent } from "./middleware/bytes";
import { readFilePart } from "./middleware/form";
import { defineOperation } from "./operation";
import {
  DirectUpload,
  DirectUploadRequest,
  File,
  FileForm,
  FilePage,
  FileQuery,
  IdentifiedFiles,
  IdentifyQuery,
  Provenance,
} from "./schemas/file";
import { uuid } from "./schemas/values";

const PATH = "/api/v1/hub/files";
const params = z.object({ id: uuid.openapi({ description: "Id of a file" }) });

export const uploadFile = defineOperation({
  name: "uploadFile",
  method: "post",
  path: PATH,
  tag: "Files",
  summary: "Upload a file",
  description:
    "Uploads a file for use as an input. Refer to it by its `url`, or by `sha256:` and its hash. The type is " +
    "detected from the content: PNG, JPEG, WebP, GIF, AVIF, MP4, WebM, MP3, WAV, Ogg, FLAC, PDF, safetensors, JSON and " +
    "plain text in UTF-8.",
  auth: "key-or-session",
  access: "develop",
  cost: "write",
  form: FileForm,
  responses: {
    201: {
      description: "The stored file",
      schema: File,
      headers: { Location: "URL of the file" },
      links: { getFile: "/id", deleteFile: "/id" },
    },
  },
  problems: [],
  async handler({ ctx, request }) {
    const { chunks, name } = readFilePart(request, "file", ctx.hub.env.UPLOAD_MAX_BYTES);
    const file = await acceptUpload(ctx, chunks, name);
    return { status: 201, headers: { Location: `${PATH}/${file.id}` }, json: serializeFile(ctx.hub, file) };
  },
});

export const listFilesOperation = defineOperation({
  name: "listFiles",
  method: "get",
  path: PATH,
  tag: "Files",
  summary: "List files",
  description:
    "Returns your uploads and outputs that have not expired, newest first. Use a cursor only with the same filter.",
  auth: "key",
  cost: "read",
  query: FileQuery,
  responses: { 200: { description: "One page of files", schema: FilePage } },
  problems: [],
  async handler({ ctx, query }) {
    const { data, next_cursor } = await listFiles(ctx, query);
    return { json: { data: data.map((file) => serializeListedFile(ctx.hub, file)), next_cursor } };
  },
});

export const deleteFileOperation = defineOperation({
  name: "deleteFile",
  method: "delete",
  path: `${PATH}/{id}`,
  tag: "Files",
  summary: "Delete a file",
  description:
    "Deletes the content before it expires. Returns 409 `file_in_use` if an unsettled generation or a character uses the file.",
  auth: "key",
  cost: "write",
  params,
  responses: { 204: { description: "Deleted" } },
  problems: ["resource_not_found", "file_in_use"],
  async handler({ ctx, params }) {
    await deleteFile(ctx, params.id!);
    return { status: 204, content: null };
  },
});

const headers = {
  ETag: "SHA-256 of the content, in quotes",
  "Content-Disposition":
    "`inline` for images, audio and video, `attachment` otherwise, with the file's name as `filename`",
};

export const getFile = defineOperation({
  name: "getFile",
  method: "get",
  head: "getFileHeaders",
  path: `${PATH}/{id}`,
  tag: "Files",
  summary: "Download a file",
  description:
    "Returns the content of a file to its owner's API key or console session, or to a signed link. Supports `Range`, " +
    "`If-Range` and `If-None-Match`. With `w`, returns a thumbnail of an image instead, as WebP.",
  auth: "read-file",
  access: "read",
  cost: "read",
  params,
  query: z.object({
    expires: z
      .string()
      .max(20)
      .default("")
      .openapi({ description: "Expiry of a signed link, in Unix seconds", example: "1795248000" }),
    signature: z.string().max(100).default("").openapi({ description: "Signature of a signed link" }),
    w: z
      .enum(thumbnailWidths, "must be 128 or 512")
      .optional()
      .openapi({ description: "Maximum width of a thumbnail, in pixels" }),
  }),
  requestHeaders: z.object({
    Range: z.string().optional().openapi({ example: "bytes=0-1023" }),
    "If-Range": z.string().optional(),
    "If-None-Match": z.string().optional(),
  }),
  responses: {
    200: { description: "The content", content: "*/*", headers },
    206: { description: "The requested range", content: "*/*", headers },
    302: {
      description: "The content is at the bucket, if the operator has set this up",
      headers: { Location: "URL of the content, valid for a minute" },
    },
    304: { description: "Not modified", headers },
  },
  problems: ["resource_not_found", "file_expired", "range_not_satisfiable"],
  async handler({ hub, ctx, params, query, request }) {
    const file = ctx ? await findFile(ctx, params.id!) : await findSignedFile(hub, params.id!, query);
    if (query.w) return serveThumbnail(hub, file, query.w, request);
    const result = await serveContent(hub, file, request);
    // Only the owner's own request counts: not a provider's or worker's with a signed link, nor that of somebody who views
    // the account.
    const isOwner = ctx && !(ctx.actor.kind === "user" && ctx.actor.view);
    return isOwner && "is_transient" in file && file.is_transient
      ? onSentWhole(result, () => void onOutputFetched(hub, file))
      : result;
  },
});

export const getFileProvenance = defineOperation({
  name: "getFileProvenance",
  method: "get",
  path: `${PATH}/{id}/provenance`,
  tag: "Files",
  summary: "Get a file's provenance",
  description:
    "Returns which model made a file, and whether the file says so itself. Works also after the file has expired or was deleted.",
  auth: "key",
  cost: "read",
  params,
  responses: { 200: { description: "The provenance", schema: Provenance } },
  problems: ["resource_not_found"],
  handler: async ({ ctx, params }) => ({ json: serializeProvenance(await getProvenance(ctx, params.id!)) }),
});

export const identifyFile = defineOperation({
  name: "identifyFile",
  method: "post",
  path: `${PATH}/identify`,
  tag: "Files",
  summary: "Identify a copy of a file",
  description:
    "Returns the provenance of your files whose content is the request body, byte for byte, or has the hash `sha256`: the newest " +
    "20. An empty list means that your account has had no such file; files of other accounts are never found. Send the hash " +
    "instead of the content of files above 50 MiB.",
  auth: "key",
  cost: "write",
  query: IdentifyQuery,
  upload: "application/octet-stream",
  isUploadOptional: true,
  responses: { 200: { description: "Your files with this content", schema: IdentifiedFiles } },
  problems: [],
  async handler({ hub, ctx, query, request }) {
    const sha256 = query.sha256
      ? Buffer.from(query.sha256, "hex")
      : await hashContent(request, hub.env.UPLOAD_MAX_BYTES);
    const files = await identifyFiles(ctx, sha256);
    return { json: { sha256: sha256.toString("hex"), data: files.map(serializeProvenance) } };
  },
});

const UPLOADS_PATH = "/api/v1/hub/uploads";
const uploadParams = z.object({ id: uuid.openapi({ description: "Id of an upload" }) });
const sharedUpload = { tag: "Files", auth: "key-or-session", access: "develop", cost: "write" } as const;

export const createUpload = defineOperation({
  ...sharedUpload,
  name: "createUpload",
  method: "post",
  path: UPLOADS_PATH,
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
  ...sharedUpload,
  name: "completeUpload",
  method: "post",
  path: `${UPLOADS_PATH}/{id}/complete`,
  summary: "Complete an upload to the bucket",
  description:
    "Creates a file from the uploaded content, after checking its size and hash and detecting its type. Possible until " +
    "one hour after `expires_at`; repeating the request returns the same file. Content of the wrong size or hash or of an " +
    "unsupported type is rejected and removed; until `expires_at` you can send the right content, and the size stays reserved.",
  params: uploadParams,
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

import { z } from "@hono/zod-openapi";
import { fileKinds } from "../../domain/files";
import { DIGITAL_SOURCE_TYPE, type Mark, marks } from "../../domain/marks";
import { nextCursor, page, time, uuid } from "./values";

const file = {
  id: uuid,
  name: z
    .string()
    .nullable()
    .openapi({
      description:
        "The file name that the upload's part had, cleaned and at most 200 characters; for an output, its model and number. " +
        "Null if there is none",
      example: "lighthouse.png",
    }),
  url: z.url().openapi({
    description: "URL of the content, also for use in inputs",
    example: "https://hub.example/api/v1/hub/files/019aa535-6c00-7a3e-9b11-5a4f6e0c2d11",
  }),
  sha256: z.string().openapi({ example: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" }),
  size: z.int().openapi({ description: "Bytes", example: 48213 }),
  media_type: z
    .string()
    .openapi({ description: "Type detected from the content, regardless of the file name", example: "image/png" }),
  expires_at: time.openapi({ example: "2026-11-22T08:00:00.000Z" }),
};

const fileMark = z
  .enum(Object.keys(marks) as [Mark, ...Mark[]])
  .nullable()
  .openapi({
    description:
      "`xmp` if the file says in its XMP metadata that a model made it, otherwise why not; null for an upload, and for outputs " +
      "of versions that marked none",
    example: "xmp",
  });

/** Specification, section 2.3. */
export const File = z.object(file).openapi("File");

export const FileForm = z
  .object({
    file: z.any().openapi({
      type: "string",
      format: "binary",
      description: "The part must have a filename or a media type. Other parts are ignored",
    }),
  })
  .openapi("FileForm", { required: ["file"] });

export const FileQuery = z.object({
  ...page(", with the same filter"),
  kind: z.enum(fileKinds, "must be upload or output").optional().openapi({ description: "Only files of this kind" }),
});

export const FilePage = z
  .object({
    data: z
      .array(
        z
          .object({
            ...file,
            kind: z.enum(fileKinds).openapi("FileKind"),
            generation_id: uuid
              .nullable()
              .openapi({ description: "Generation that produced the file; null for an upload" }),
            mark: fileMark,
            created_at: time,
          })
          .openapi("ListedFile"),
      )
      .openapi({ description: "Newest first" }),
    next_cursor: nextCursor,
  })
  .openapi("FilePage");

const SHA256 = /^[0-9a-fA-F]{64}$/;
const SHA256_MESSAGE = "must be a SHA-256 hash of 64 hexadecimal digits";

export const IdentifyQuery = z.object({
  sha256: z
    .string()
    .regex(SHA256, SHA256_MESSAGE)
    .optional()
    .openapi({ description: "SHA-256 hash of the content, instead of a body" }),
});

export const Provenance = z
  .object({
    id: uuid,
    sha256: file.sha256,
    media_type: file.media_type,
    size: file.size,
    kind: z.enum(fileKinds).openapi("FileKind"),
    generation_id: uuid.nullable().openapi({ description: "Generation that produced the file; null for an upload" }),
    model: z
      .string()
      .nullable()
      .openapi({ description: "Model that made the file; null for an upload", example: "sandbox-image" }),
    generator: z
      .string()
      .nullable()
      .openapi({ description: "Name of the generator, as in the mark; null for an upload", example: "Generation Hub" }),
    digital_source_type: z.string().nullable().openapi({
      description: "IPTC's digital source type; null for an upload, and for a model whose outputs need no mark",
      example: DIGITAL_SOURCE_TYPE,
    }),
    mark: fileMark,
    description: z.string().openapi({ description: "The same in words", example: marks.xmp }),
    created_at: time,
    available: z.boolean().openapi({ description: "Whether the content can be downloaded", example: true }),
  })
  .openapi("Provenance");

export const IdentifiedFiles = z
  .object({
    sha256: file.sha256,
    data: z.array(Provenance).openapi({ description: "Newest first" }),
  })
  .openapi("IdentifiedFiles");

const GIBIBYTE = 1024 ** 3;

export const DirectUploadRequest = z
  .strictObject({
    size: z
      .int()
      .min(1)
      .max(5 * GIBIBYTE)
      .openapi({ description: "Bytes of the content", example: 3 }),
    sha256: z.string().regex(SHA256, SHA256_MESSAGE).openapi({
      description: "SHA-256 hash of the content",
      example: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    }),
    name: z.string().max(1_000).optional().openapi({ description: "File name, cleaned as that of a form" }),
    media_type: z
      .string()
      .max(255)
      .optional()
      .openapi({ description: "Ignored: the type is read from the content", example: "video/mp4" }),
  })
  .openapi("DirectUploadRequest");

export const DirectUpload = z
  .object({
    id: uuid,
    method: z.literal("PUT"),
    url: z.url().openapi({
      description: "Where to send the content, at the bucket",
      example:
        "https://hub-files.s3.eu-central-1.amazonaws.com/incoming/019aa535-6c00-7a3e-9b11-5a4f6e0c2d11?X-Amz-Expires=21600",
    }),
    headers: z.record(z.string(), z.string()).openapi({
      description: "Headers to send with it",
      example: { "x-amz-checksum-sha256": "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=" },
    }),
    expires_at: time.openapi({ example: "2026-11-22T14:00:00.000Z" }),
  })
  .openapi("DirectUpload");

import { z } from "@hono/zod-openapi";
import { fileKinds } from "../../domain/files";
import { limit, time, uuid } from "./values";

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

/** Specification, section 2.3. */
export const File = z.object(file).openapi("File");

export const FileForm = z
  .object({
    file: z.any().openapi({
      type: "string",
      format: "binary",
      description: "The part must have a filename. Other parts are ignored",
    }),
  })
  .openapi("FileForm", { required: ["file"] });

export const FileQuery = z.object({
  limit: limit(20, 100),
  cursor: z
    .string()
    .min(1)
    .max(512)
    .optional()
    .openapi({ description: "`next_cursor` of the previous page, with the same filter" }),
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
            created_at: time,
          })
          .openapi("ListedFile"),
      )
      .openapi({ description: "Newest first" }),
    next_cursor: z.string().nullable().openapi({ description: "Null on the last page" }),
  })
  .openapi("FilePage");

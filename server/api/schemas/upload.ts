import { z } from "@hono/zod-openapi";
import { time, uuid } from "./values";

const GIBIBYTE = 1024 ** 3;

export const DirectUploadRequest = z
  .object({
    size: z
      .int()
      .min(1)
      .max(5 * GIBIBYTE)
      .openapi({ description: "Bytes of the content", example: 3 }),
    sha256: z
      .string()
      .regex(/^[0-9a-fA-F]{64}$/, "must be a SHA-256 hash of 64 hexadecimal digits")
      .openapi({
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

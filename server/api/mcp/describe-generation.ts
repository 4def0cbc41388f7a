import type { CallToolResult } from "@modelcontextprotocol/server";
import { buffer } from "node:stream/consumers";
import type { z } from "zod";
import type { Ctx } from "../../context";
import type { OutputRow } from "../../domain/generations/row";
import {
  getStoredGeneration,
  serializeGeneration,
  type StoredGeneration,
  waitForEnd,
} from "../../domain/generations/read";
import { findFile, getThumbnail, openContent } from "../../domain/files";
import type { Hub } from "../../domain/hub";
import { signLink } from "../../domain/input-files";
import { findFunds } from "../../domain/ledger";
import { isAppError } from "../../errors";
import { toEuros } from "../../lib/money";
import type { generation as schema } from "./schemas";
import type { Exchange, ToolResult } from "./tool";

const LINK_MS = 3_600_000;
const MAX_INLINE_BYTES = 256 * 1024;
const MAX_INLINE_IMAGES = 4;

interface Options {
  wait_seconds: number;
  inline_images: boolean;
}

/** Waits for a generation to end, as long as the call allows, and returns it with its outputs as links. */
export async function describeGeneration(
  { ctx, disconnected }: Exchange,
  id: string,
  { wait_seconds, inline_images }: Options,
): Promise<ToolResult<z.input<typeof schema>>> {
  const first = await getStoredGeneration(ctx, id);
  const isWaiting = first.completed_at === null && first.status !== "awaiting_supply" && wait_seconds > 0;
  if (isWaiting) await waitForEnd(ctx.hub, id, wait_seconds * 1000, disconnected);
  const row = isWaiting ? await getStoredGeneration(ctx, id) : first;
  const links = row.outputs.map((output) => ({ output, url: signOutput(ctx, output) }));
  const { model, status, estimated_cost, billed_cost, progress, outputs, error, missing } = serializeGeneration(
    ctx.hub,
    row,
  );
  const { available } = await findFunds(ctx);
  return {
    output: {
      id: row.id,
      model,
      status,
      estimated_cost,
      billed_cost,
      progress,
      error,
      missing,
      outputs: outputs.map(({ index, media_type, size, url: file_url }, at) => ({
        index,
        media_type,
        size,
        url: links[at]!.url,
        file_url,
      })),
      remaining: toEuros(available),
      ...describeNextStep(row),
    },
    content: [
      ...links.map(({ output, url }) => toLink(output, url)),
      ...(inline_images ? await showImages(ctx, row.outputs) : []),
    ],
  };
}

const signOutput = ({ hub }: Ctx<Hub>, { id, expires_at }: OutputRow): string =>
  signLink(hub, id, new Date(Math.min(hub.now().getTime() + LINK_MS, new Date(expires_at).getTime())));

const toLink = ({ index, media_type, size }: OutputRow, uri: string) => ({
  type: "resource_link" as const,
  uri,
  name: `output ${index}`,
  mimeType: media_type,
  size: Number(size),
});

function describeNextStep({ status, error }: StoredGeneration): { next?: string } {
  switch (status) {
    case "queued":
    case "running":
      return { next: "Still in progress. Call get_generation with this id; do not call generate again." };
    case "awaiting_supply":
      return {
        next: "Upload each file in missing with upload_file; it is queued automatically. Then call get_generation.",
      };
    case "failed":
      return {
        next: error?.retryable
          ? "Nothing was charged. Call generate again with a new idempotency_key, or choose another model."
          : "Change the input as the error says, then call generate with a new idempotency_key.",
      };
    case "succeeded":
    case "canceled":
      return {};
  }
}

/** Returns the first pictures as content: small ones themselves, others as previews. */
async function showImages(ctx: Ctx<Hub>, outputs: OutputRow[]): Promise<CallToolResult["content"]> {
  const images: CallToolResult["content"] = [];
  for (const { id, media_type } of outputs
    .filter((one) => one.media_type.startsWith("image/"))
    .slice(0, MAX_INLINE_IMAGES)) {
    const image = await readImage(ctx, id, media_type).catch((error: unknown) => {
      // The link is still returned.
      if (isAppError(error)) return null;
      throw error;
    });
    if (image) images.push(image);
  }
  return images;
}

async function readImage(ctx: Ctx<Hub>, id: string, mimeType: string) {
  const file = await findFile(ctx, id);
  const isSmall = file.size <= MAX_INLINE_BYTES;
  const content = isSmall ? await buffer(await openContent(ctx.hub, file)) : await getThumbnail(ctx.hub, file, "512");
  const type = isSmall ? mimeType : "image/webp";
  return { type: "image" as const, data: content.toString("base64"), mimeType: type };
}

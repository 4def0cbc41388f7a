import type { Ctx } from "../../context";
import { AppError } from "../../errors";
import { findPreview } from "../generations/live";
import { getStoredGeneration } from "../generations/read";
import type { FeedsHub } from "./hub";

/**
 * Returns the newest preview of a generation of the account as WebP. Throws 404 `generation_not_found`, and 404
 * `resource_not_found` if there is none, as after the generation has ended.
 */
export async function getPreview(ctx: Ctx<FeedsHub>, id: string): Promise<Buffer> {
  await getStoredGeneration(ctx, id);
  const content = await findPreview(ctx.hub, id);
  if (!content) throw new AppError("resource_not_found", "This generation has no preview now.");
  return content;
}

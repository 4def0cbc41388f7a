import { buffer } from "node:stream/consumers";
import { DIGITAL_SOURCE_TYPE } from "../../server/domain/marks/mark";
import type { TestHub } from "../hub";

const MARKABLE = ["image/png", "image/jpeg", "image/webp", "image/avif", "video/mp4", "audio/wav", "audio/mpeg"];

interface Output {
  id: string;
  media_type: string;
  mark: string;
}

/** Returns the outputs of a hub that do not say that a model made them, although their format has a place for it. */
export async function findUnmarked(hub: TestHub): Promise<Output[]> {
  const outputs = await hub.db.query<Output>(
    `SELECT id, media_type, mark FROM file
     WHERE generation_id IS NOT NULL AND stored_at IS NOT NULL AND media_type = ANY ($1)`,
    [MARKABLE],
  );
  const contents = await Promise.all(outputs.map(async ({ id }) => buffer((await hub.storage.open(id))!)));
  return outputs.filter(({ mark }, index) => mark !== "xmp" || !contents[index]!.includes(DIGITAL_SOURCE_TYPE));
}

import type { OutputContent } from "../../providers/job";
import { type Stored, StorageUnavailable } from "../../storage/storage";
import { type Mark, markContent, repairContent } from "../marks";
import type { FilesHub } from "./hub";

/** The maximum size of an output with its mark. */
const MAX_BYTES = 1024 ** 3;

interface MarkedFile {
  id: string;
  /** The id of the model that made it. */
  model: string;
  generationId: string;
  index: number;
}

/**
 * Stores the content of an output with its mark, or unchanged if it cannot have one, and returns what was stored. The hash is
 * that of the marked content. The same content of the same model gets the same bytes, so the call may be repeated after a
 * crash.
 */
export async function putMarked(
  hub: FilesHub,
  { id, model, generationId, index }: MarkedFile,
  { mediaType, content }: OutputContent,
): Promise<Stored & { mark: Mark }> {
  const exemption = findExemption(hub, model);
  if (exemption) return { ...(await hub.storage.put(id, content, MAX_BYTES)), mark: exemption };
  const marked = markContent(content, mediaType, model);
  const stored = await hub.storage.put(id, marked.chunks, MAX_BYTES);
  const { mark, repairs } = marked.result();
  if (mark === "unreadable") hub.log.warn({ generation: generationId, index, mediaType }, "output stored unmarked");
  if (repairs.length === 0) return { ...stored, mark };
  // Its beginning was stored with a mark before its end showed that it cannot have one. Nobody has seen it yet.
  const original = await hub.storage.open(id);
  if (!original) throw new StorageUnavailable("The storage has lost an output that it was just given.");
  return { ...(await hub.storage.put(id, repairContent(original, repairs), MAX_BYTES)), mark };
}

function findExemption({ env, catalogue }: FilesHub, model: string): Mark | null {
  if (env.MARK_OUTPUTS === "off") return "disabled";
  return catalogue.get(model)?.marksOutputs === false ? "model_exempt" : null;
}

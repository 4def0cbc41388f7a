import { applyCatalogue } from "../../catalogue/apply";
import { findNewestRevision, lockRevisions } from "../../catalogue/newest-revision";
import { AppError } from "../../errors";
import { operate, type Operator } from "../operator-actions";
import type { ModelsHub } from "./hub";

interface RevisionRequest {
  /** YAML. */
  source: string;
  /** The name of the text in messages about issues. */
  file: string;
  /** The revision that the text is based on; without it, whatever is applied is replaced. */
  base?: number | null;
  /** The older revision whose text it is. */
  restored?: number;
  reason?: string | null;
}

/**
 * Applies a catalogue by an operator, in all running hubs, and returns the number of its revision. Throws CatalogueError
 * for an invalid one, and a 409 when another was applied since `base`.
 */
export async function applyRevision(hub: ModelsHub, operator: Operator, request: RevisionRequest): Promise<number> {
  const { source, file, base, restored, reason } = request;
  const action = restored === undefined ? "catalogue.apply" : "catalogue.roll-back";
  const target = { kind: "catalogue-revision", id: "" };
  const revision = await operate(hub, operator, { action, target, reason }, async (tx) => {
    await lockRevisions(tx);
    const before = (await findNewestRevision(tx))?.id ?? null;
    if (base !== undefined && base !== before)
      throw new AppError(
        "invalid_state",
        "Another catalogue was applied meanwhile. Load it and make your change again.",
      );
    const id = await applyCatalogue(tx, source, hub.now(), file);
    return {
      before: { revision: before },
      after: { revision: id, ...(restored !== undefined && { restored }) },
      target: { kind: "catalogue-revision", id: String(id) },
      result: id,
    };
  });
  return revision!;
}

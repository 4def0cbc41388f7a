import { z } from "zod";
import { findNewestRevision } from "../catalogue/newest-revision";
import { applyRevision, checkDraft, getRevision, listRevisions } from "../domain/models";
import type { Hub } from "../domain/hub";
import { Reason } from "./accounts";
import { defineOperatorAction } from "./operator-action";
import { rejectFile, rejectInvalid } from "./reject-catalogue";
import { yamlSource } from "./yaml-source";

const source = yamlSource("The catalogue in YAML", "models: []\n");

/** The text of a catalogue. */
export const CatalogueDraft = z.strictObject({ source }).meta({ id: "CatalogueDraft" });

const CatalogueRequest = z.strictObject({ source, reason: Reason.optional() }).meta({ id: "CatalogueRequest" });

/** What to apply: a new text, or the text of an older revision. */
type AppliedText = { source: string } | { restored: number };
type Applied = AppliedText & { base: number | null; reason?: string };

const readText = async (hub: Hub, text: AppliedText) =>
  "source" in text
    ? { source: text.source, file: "catalogue" }
    : { ...text, source: await getRevision(hub, text.restored), file: `revision ${text.restored}` };

/** The catalogue for operators. */
export const catalogueActions = {
  /** Returns the applied catalogue; its revision is null if none was applied. */
  get: defineOperatorAction({
    access: "auditor",
    async run(hub) {
      const applied = await findNewestRevision(hub.db);
      return {
        revision: applied?.id ?? null,
        source: applied?.source ?? "models: []\n",
        /** The file that is used instead of an applied catalogue. */
        file: hub.env.HUB_CATALOGUE ?? null,
      };
    },
  }),

  /** Returns the text of a revision. */
  revision: defineOperatorAction({ access: "auditor", run: (hub, _operator, id: number) => getRevision(hub, id) }),

  revisions: defineOperatorAction({ access: "auditor", run: (hub) => listRevisions(hub) }),

  /** Checks a text and compares it with the applied catalogue. */
  check: defineOperatorAction({
    access: "operator",
    body: CatalogueDraft,
    run: (hub, _operator, draft: z.output<typeof CatalogueDraft>) => checkDraft(hub, draft.source),
  }),

  /**
   * Applies a text that was made from the revision `base`, or the text of an older one. Returns the number of the new
   * revision.
   */
  apply: defineOperatorAction({
    access: "operator",
    body: CatalogueRequest,
    async run(hub, operator, { base, reason, ...text }: Applied) {
      rejectFile(hub);
      const order = { base, reason, ...(await readText(hub, text)) };
      return rejectInvalid("source", () => applyRevision(hub, operator, order));
    },
  }),
};

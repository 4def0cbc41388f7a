import { z } from "zod";
import { findNewestRevision } from "../../catalogue/newest-revision";
import { writeEntries } from "../../catalogue/sync/pick-entries";
import type { Hub } from "../../domain/hub";
import {
  applyPrices,
  comparePrices,
  fetchPriceList,
  findListPaths,
  serializeComparison,
} from "../../domain/price-lists";
import { AppError } from "../../errors";
import { auditorProcedure, operatorProcedure, reason, router, rowNumber } from "../procedure";
import { rejectFile, rejectInvalid } from "../../actions/reject-catalogue";

/** In percent. Models that change by more are applied only one by one. */
const MAX_CHANGE = 50;
/** The most characters of a list that the browser or the hub has reduced to the entries of the catalogue. */
const MAX_LIST = 512 * 1024;
const MAX_MODELS = 1_000;

const list = z.string().max(MAX_LIST, "has too many entries of this catalogue: use the command line");
const url = z.url({ protocol: /^https$/, error: "must be an https URL" }).max(2_000);

export const prices = router({
  /** The places in a price list that the applied catalogue needs, so that the browser sends only those. */
  paths: auditorProcedure.query(async ({ ctx: { hub } }) => findListPaths(hub, await getApplied(hub))),

  /** Compares the applied catalogue with a list, or with the list at an address. A mutation only because lists are long. */
  compare: operatorProcedure
    .input(z.union([z.object({ list }), z.object({ url })], "must have a list or a url"))
    .mutation(({ ctx: { hub }, input }) =>
      rejectInvalid("list", async () => {
        const { base, ...catalogue } = await getApplied(hub);
        const compare = async (text: Buffer) => {
          const compared = await comparePrices(hub, catalogue, text, { models: null, maxChange: MAX_CHANGE });
          return { base, list: writeEntries(compared.entries), ...serializeComparison(compared) };
        };
        return "url" in input ? fetchPriceList(hub, input.url, compare) : compare(Buffer.from(input.list));
      }),
    ),

  /** Applies the prices of a list to these models, however large the changes. */
  applyModels: operatorProcedure
    .input(z.object({ list, models: z.array(z.string().max(128)).min(1).max(MAX_MODELS), base: rowNumber, reason }))
    .mutation(({ ctx: { hub, operator }, input }) =>
      rejectInvalid("list", async () => {
        rejectFile(hub);
        const revision = await applyPrices(hub, operator, { ...input, list: Buffer.from(input.list) });
        return { revision };
      }),
    ),
});

async function getApplied(hub: Hub) {
  const applied = await findNewestRevision(hub.db);
  if (!applied) throw new AppError("invalid_state", "No catalogue was applied yet.");
  return { base: applied.id, file: "the catalogue", text: applied.source };
}

import { z } from "zod";
import { runBodyWork } from "../../../context";
import { findFunds } from "../../../domain/ledger";
import { findCheaperInputs, priceInput } from "../../../domain/models";
import { toEuros } from "../../../lib/money";
import { describeCheaper } from "../describe-cheaper";
import * as schemas from "../schemas";
import { defineTool, readOnly } from "../tool";

export const estimateTool = defineTool({
  name: "estimate",
  title: "Estimate a price",
  description:
    "Checks an input and returns the most that generate would charge for it. Starts nothing and costs nothing.",
  annotations: readOnly,
  input: z.object({ model: schemas.modelId, input: schemas.input }),
  output: z.object({
    estimated_cost: schemas.euros.describe("Maximum cost in EUR"),
    currency: z.literal("EUR"),
    remaining: schemas.euros.describe("What this key may still spend now, in EUR"),
    is_affordable: z.boolean(),
    next: z.string().optional(),
  }),
  async handler({ ctx }, request) {
    const price = await runBodyWork(ctx, () => priceInput(ctx, request.model, request.input));
    const { available } = await findFunds(ctx);
    const isAffordable = price.estimated_cost <= toEuros(available);
    const next = isAffordable ? null : describeCheaper(findCheaperInputs(ctx, request, available));
    return {
      output: { ...price, remaining: toEuros(available), is_affordable: isAffordable, ...(next && { next }) },
    };
  },
});

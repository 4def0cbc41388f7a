import { findNewestRevision } from "../../catalogue/newest-revision";
import { AppError } from "../../errors";
import { OperatorError } from "../../lib/operator-error";
import { applyRevision } from "../models";
import type { Operator } from "../operator-actions";
import { comparePrices } from "./compare-prices";
import type { PriceListsHub } from "./hub";

interface PricesRequest {
  list: Buffer;
  /** Ids of the models whose prices are applied, however large the changes are. */
  models: string[];
  /** The revision that was compared. */
  base: number;
  reason: string;
}

/**
 * Applies the prices of a list to models of the applied catalogue, as one revision, and returns its number. Throws like
 * `comparePrices` and `applyRevision`, and OperatorError for models that would be invalid or do not change.
 */
export async function applyPrices(hub: PriceListsHub, operator: Operator, request: PricesRequest): Promise<number> {
  const { list, models, base, reason } = request;
  const revision = await findNewestRevision(hub.db);
  if (!revision) throw new AppError("invalid_state", "No catalogue was applied yet.");
  const catalogue = { file: "the catalogue", text: revision.source };
  const { models: compared, text } = await comparePrices(hub, catalogue, list, { models, maxChange: Infinity });
  for (const { model, issue } of compared) if (issue) throw new OperatorError(`${model} ${issue.message}.`);
  if (text === revision.source) throw new OperatorError("These models already have the prices of the list.");
  return applyRevision(hub, operator, { source: text, file: "catalogue", base, reason });
}

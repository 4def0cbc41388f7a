"use client";

import { useQuotedPrice } from "../../code-samples/use-price";
import { useToast } from "../../ui/toasts";
import type { Input } from "./use-input";

interface ConfirmedPrice {
  /** False if a run costs more than was shown, which a toast says. */
  isShown: boolean;
  /** The quote by which one run costs what is shown. */
  quote?: string;
  /** What one run costs at most, in EUR. */
  cost?: number;
}

/** Returns a function that returns the price of an input as it is now. */
export function useConfirmedPrice(model: string, shown: number | undefined) {
  const fetchPrice = useQuotedPrice();
  const toast = useToast();
  return async (input: Input): Promise<ConfirmedPrice> => {
    // The run reports why an input has no price.
    const price = await fetchPrice(model, input).catch(() => null);
    const isShown = !price || shown === undefined || price.estimated_cost <= shown;
    if (!isShown) toast({ text: "The price has changed. Run again to accept it." });
    return { isShown, quote: price?.quote?.id, cost: price?.estimated_cost };
  };
}

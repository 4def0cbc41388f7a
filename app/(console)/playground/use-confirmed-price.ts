"use client";

import { useQuotedPrice } from "../../code-samples/use-price";
import { useToast } from "../../ui/toasts";
import type { Input } from "./use-input";

/**
 * Returns a function that returns the quote of an input, by which its run costs what is shown. `isShown` is false if it costs
 * more, which a toast says.
 */
export function useConfirmedPrice(model: string, shown: number | undefined) {
  const fetchPrice = useQuotedPrice();
  const toast = useToast();
  return async (input: Input): Promise<{ isShown: boolean; quote?: string }> => {
    // The run reports why an input has no price.
    const price = await fetchPrice(model, input).catch(() => null);
    const isShown = !price || shown === undefined || price.estimated_cost <= shown;
    if (!isShown) toast({ text: "The price has changed. Run again to accept it." });
    return { isShown, quote: price?.quote?.id };
  };
}

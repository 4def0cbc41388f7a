import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";

/** Data that was prefetched for the first paint is not fetched again right away. */
const STALE_TIME_MS = 10_000;

export const makeQueryClient = (onError?: (error: unknown) => void) =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Fails at once without a network: a mutation that starts when the network returns would charge or delete then.
      mutations: { networkMode: "always" },
      queries: { staleTime: STALE_TIME_MS, retry: (count, error) => count < 2 && !isClientError(error) },
    },
  });

/** Returns whether the hub rejected the request, so that a retry would be rejected too. */
const isClientError = (error: unknown): boolean => {
  const { data } = error as { data?: { httpStatus?: number } | null };
  return data?.httpStatus !== undefined && data.httpStatus < 500;
};

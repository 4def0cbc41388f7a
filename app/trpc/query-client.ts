import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import superjson from "superjson";

/** What was fetched for the first paint is not fetched again at once. */
const FRESH_MS = 10_000;

export const makeQueryClient = (onError?: (error: unknown) => void) =>
  new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { staleTime: FRESH_MS, retry: (count, error) => count < 2 && !isRefusal(error) },
      dehydrate: { serializeData: superjson.serialize },
      hydrate: { deserializeData: superjson.deserialize },
    },
  });

/** Whether the hub refused the call: then it would refuse it again. */
const isRefusal = (error: unknown): boolean => {
  const { data } = error as { data?: { httpStatus?: number } | null };
  return data?.httpStatus !== undefined && data.httpStatus < 500;
};

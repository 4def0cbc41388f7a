import type { MutationOptions, QueryFilters, QueryOptions } from "@tanstack/react-query";
import type { TRPCClient } from "@trpc/client";
import type { TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { Root } from "@/server/trpc/root";
import type { SendCall } from "./send-calls";

/** The path of a procedure, such as `["keys", "create"]`. */
type Path = string[];

/** Returns `trpc` of tRPC's integration with React Query, for the browser and for pages that are rendered. */
export function createOptionsProxy(send: SendCall): TRPCOptionsProxy<Root> {
  const queryKey = (path: Path, input: unknown) => [path, { ...(input !== undefined && { input }), type: "query" }];
  const methods = {
    queryKey,
    queryOptions: (path: Path, input: unknown, options?: QueryOptions) => ({
      ...options,
      queryKey: queryKey(path, input),
      queryFn: () => send({ type: "query", path: path.join("."), input }),
    }),
    queryFilter: (path: Path, input: unknown, filter?: QueryFilters) => ({
      ...filter,
      queryKey: queryKey(path, input),
    }),
    pathFilter: (path: Path, filter?: QueryFilters) => ({ ...filter, queryKey: [path] }),
    mutationOptions: (path: Path, options?: MutationOptions) => ({
      ...options,
      mutationKey: [path],
      mutationFn: (input: unknown) => send({ type: "mutation", path: path.join("."), input }),
    }),
  };
  return createPathProxy(methods) as TRPCOptionsProxy<Root>;
}

/** Returns a client that calls procedures without React Query: `client.keys.create.mutate(input)`. */
export const createClientProxy = (send: SendCall): TRPCClient<Root> =>
  createPathProxy({
    query: (path, input, options?: { signal?: AbortSignal }) =>
      send({ ...options, type: "query", path: path.join("."), input }),
    mutate: (path, input, options?: { signal?: AbortSignal }) =>
      send({ ...options, type: "mutation", path: path.join("."), input }),
  }) as TRPCClient<Root>;

type Methods = Record<string, (path: Path, first: never, second?: never) => unknown>;

/** Returns a proxy that collects the names of properties in a path until one is the name of a method. */
function createPathProxy(methods: Methods, path: Path = []): unknown {
  return new Proxy(
    {},
    {
      get(_target, name: string) {
        const method = methods[name];
        return method ? (...args: [never, never]) => method(path, ...args) : createPathProxy(methods, [...path, name]);
      },
    },
  );
}

import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

/** The connected workers, the models they serve and the account's slots. */
export type WorkerList = inferRouterOutputs<Root>["workers"]["list"];

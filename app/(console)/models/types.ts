import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

type Outputs = inferRouterOutputs<Root>["models"];

/** A model with its parameters and prices. */
export type Model = Outputs["get"];
/** A model of the list. */
export type ModelSummary = Outputs["list"][number];

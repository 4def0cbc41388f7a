import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

/** What the console's procedures return: `Outputs["keys"]["list"]`. */
export type Outputs = inferRouterOutputs<Root>;
/** What they are called with. */
export type Inputs = inferRouterInputs<Root>;

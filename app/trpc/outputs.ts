import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

/** What the console's procedures return: `Outputs["keys"]["list"]`. */
export type Outputs = inferRouterOutputs<Root>;
/** What the procedures are called with: `Inputs["keys"]["create"]`. */
export type Inputs = inferRouterInputs<Root>;

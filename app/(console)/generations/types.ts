import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

type Outputs = inferRouterOutputs<Root>["generations"];

/** A generation with its attempts and deliveries. */
export type GenerationDetail = Outputs["get"];
/** An output of a generation. */
export type GenerationOutput = GenerationDetail["outputs"][number];
/** A generation of the list. */
export type GenerationSummary = Outputs["list"]["data"][number];

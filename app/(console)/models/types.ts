import type { Outputs } from "../../trpc/outputs";

/** A model with its parameters and prices. */
export type Model = Outputs["models"]["get"];
/** A model of the list. */
export type ModelSummary = Outputs["models"]["list"][number];

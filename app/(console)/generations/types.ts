import type { Outputs } from "../../trpc/outputs";

/** A generation with its attempts and deliveries. */
export type GenerationDetail = Outputs["generations"]["get"];
/** An output of a generation. */
export type GenerationOutput = GenerationDetail["outputs"][number];
/** A generation of the list. */
export type GenerationSummary = Outputs["generations"]["list"]["data"][number];

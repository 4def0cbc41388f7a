import type { Outputs } from "../../trpc/outputs";

export type Batch = Outputs["batches"]["get"];

import type { Outputs } from "../../../trpc/outputs";

export type CheckedDraft = Outputs["admin"]["catalogue"]["check"];
export type AppliedCatalogue = Outputs["admin"]["catalogue"]["get"];
export type Revision = Outputs["admin"]["catalogue"]["get"]["revisions"][number];
export type ComparedPrices = Outputs["admin"]["catalogue"]["prices"]["compare"];

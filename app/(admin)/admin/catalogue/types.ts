import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

type Outputs = inferRouterOutputs<Root>["admin"]["catalogue"];

export type CheckedDraft = Outputs["check"];
export type AppliedCatalogue = Outputs["get"];
export type Revision = Outputs["get"]["revisions"][number];

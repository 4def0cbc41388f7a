import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

type Outputs = inferRouterOutputs<Root>["characters"];

/** A character with its pictures and trainings. */
export type Character = Outputs["get"];
/** A character of the list. */
export type CharacterSummary = Outputs["list"]["data"][number];

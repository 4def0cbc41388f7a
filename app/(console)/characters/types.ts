import type { Outputs } from "../../trpc/outputs";

/** A character with its pictures and trainings. */
export type Character = Outputs["characters"]["get"];
/** A character of the list. */
export type CharacterSummary = Outputs["characters"]["list"]["data"][number];

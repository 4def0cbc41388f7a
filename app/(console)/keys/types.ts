import type { Outputs } from "../../trpc/outputs";

export type Key = Outputs["keys"]["list"][number];

import type { Outputs } from "../../trpc/outputs";

/** A row of the list. */
export type Request = Outputs["requests"]["list"]["data"][number];
/** A generation of the list. */
export type ListedGeneration = Extract<Request, { kind: "generation" }>;
/** A rejected request of the list. */
export type RejectedRequest = Extract<Request, { kind: "rejected" }>;

/** The priorities of a generation among those of its account, the lowest first. */
export const priorities = ["low", "normal", "high"] as const;
export type Priority = (typeof priorities)[number];

/** Returns the column of a priority: -1, 0 or 1. */
export const toRank = (priority: Priority): number => priorities.indexOf(priority) - 1;

/** Returns the priority of a column. */
export const toPriority = (rank: number): Priority => priorities[rank + 1]!;

import type { ReadSearch } from "../../ui/search";

export const VIEW_COOKIE = "generations-view";
export const views = [
  { value: "list", label: "List" },
  { value: "grid", label: "Grid" },
] as const;
export type View = (typeof views)[number]["value"];

/** Returns the view of the URL, or else the one that was chosen last. */
export const readView = (read: ReadSearch, chosen: string | undefined): View =>
  [read("view"), chosen].find((view): view is View => view === "list" || view === "grid") ?? "list";

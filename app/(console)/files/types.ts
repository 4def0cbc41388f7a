import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";
import { formatBytes } from "../../ui/number-formats";

/** A file of the list. */
export type ListedFile = inferRouterOutputs<Root>["files"]["list"]["data"][number];

/** Returns what a file is called: its name, else its type and size. */
export const describeFile = ({ name, media_type, size }: Pick<ListedFile, "name" | "media_type" | "size">): string =>
  name ?? `${media_type}, ${formatBytes(size)}`;

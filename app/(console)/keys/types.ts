import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

export type Key = inferRouterOutputs<Root>["keys"]["list"][number];

import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

type Outputs = inferRouterOutputs<Root>["webhooks"];

export type Endpoint = Outputs["list"][number];
export type Delivery = Outputs["deliveries"]["data"][number];

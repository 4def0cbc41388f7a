import type { Outputs } from "../../trpc/outputs";

export type Endpoint = Outputs["webhooks"]["list"][number];
export type Delivery = Outputs["webhooks"]["deliveries"]["data"][number];
export type Health = Outputs["webhooks"]["health"][number];

import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

type Admin = inferRouterOutputs<Root>["admin"];

export type HubState = Admin["state"]["get"];
export type AccountRow = Admin["accounts"]["list"]["data"][number];
export type AccountRecord = Admin["accounts"]["get"];
export type PaymentRow = Admin["payments"]["list"]["data"][number];
export type PaymentRecord = Admin["payments"]["get"];

import type { Outputs } from "../trpc/outputs";

type Admin = Outputs["admin"];

export type HubState = Admin["state"]["get"];
export type History = Admin["state"]["history"];
export type RouteReport = HubState["providers"][number]["routes"][number];
export type AccountRow = Admin["accounts"]["list"]["data"][number];
export type AccountRecord = Admin["accounts"]["get"];
export type PaymentRow = Admin["payments"]["list"]["data"][number];
export type PaymentRecord = Admin["payments"]["get"];

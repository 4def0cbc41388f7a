import type { inferRouterOutputs } from "@trpc/server";
import type { Root } from "@/server/trpc/root";

/** The payments of an account, and how it pays. */
export type PaymentSettings = inferRouterOutputs<Root>["payments"]["get"];
export type Payment = PaymentSettings["payments"][number];

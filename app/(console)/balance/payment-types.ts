import type { Outputs } from "../../trpc/outputs";

/** The payments of an account, and how it pays. */
export type PaymentSettings = Outputs["payments"]["get"];
export type Payment = PaymentSettings["payments"][number];

import type { Outputs } from "../../trpc/outputs";

/** An account's payments and payment settings. */
export type PaymentSettings = Outputs["payments"]["get"];
export type Payment = PaymentSettings["payments"][number];

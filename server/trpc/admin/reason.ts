import { z } from "zod";

/** Why an operator does something, for the audit log. */
export const reason = z.string().trim().min(3, "must say why").max(1_000);

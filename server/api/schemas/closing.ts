import { z } from "@hono/zod-openapi";
import { waits } from "../../domain/closures";
import { orNull, time } from "./values";

export const AdminClosing = z
  .object({
    requested_at: time,
    closes_at: time.openapi({ description: "Until then the account can be kept" }),
    closed_at: orNull(time).openapi({ description: "When it was closed for good", example: null }),
    erased_at: orNull(time).openapi({ description: "When all of it was erased", example: null }),
    gives_up_balance: z.boolean().openapi({ description: "Whether all of the balance is given up", example: false }),
    is_by_operator: z
      .boolean()
      .openapi({ description: "Whether an operator closes it, so that its owners cannot keep it", example: true }),
    waits_for: z
      .array(z.enum(waits))
      .openapi({ description: "What it waits for, even after `closes_at`", example: ["running_work"] }),
  })
  .openapi("AdminClosing");

import { z } from "@hono/zod-openapi";
import { currency, euros } from "./values";

/** Specification, section 2.5. */
export const Account = z
  .object({
    client_id: z.int().openapi({ example: 1 }),
    email: z.email().openapi({ example: "you@example.org" }),
    membership: z.boolean(),
    balance: euros.openapi({ description: "Credit in EUR", example: 25 }),
    available: euros.openapi({
      description: "The balance less the estimates of all unsettled generations",
      example: 24.9908,
    }),
    currency,
    key: z
      .object({
        name: z.string().openapi({ example: "server" }),
        prefix: z.string().openapi({ example: "service_sk_4fQ7Xa" }),
      })
      .openapi({ description: "The key that authenticated this request" }),
  })
  .openapi("Account");

import { z } from "@hono/zod-openapi";
import { operatorAlertNames } from "../../domain/operator-alerts";
import { isStorable } from "../../lib/json/storable";
import { Retention } from "./retention";
import { currency, euros, nextCursor, orNull, page, time, uuid } from "./values";

export const accountId = z
  .string()
  .openapi({ type: "integer", minimum: 1, description: "Id of an account", example: 1001 });
export const keyId = uuid.openapi({ description: "Id of an API key" });

const account = {
  id: z.int().openapi({ example: 1001 }),
  email: z.string().openapi({ description: "Contact address", example: "studio@example.org" }),
  name: orNull(z.string()).openapi({ description: "What its owners call it; null for its address", example: null }),
  member: z.boolean().openapi({ description: "Whether it may use models for members" }),
  suspended: z.boolean().openapi({ description: "Whether its keys and sessions are rejected" }),
  balance: euros,
  held: euros.openapi({ description: "Estimates of unsettled generations, in EUR" }),
};

const use = z.object({ used: z.number(), max: z.number() }).openapi("LimitUse");

export const AdminAccount = z
  .object({
    ...account,
    weight: z.int().openapi({ description: "Its share of what accounts share, 1 to 100", example: 1 }),
    book: orNull(z.string()).openapi({
      description: "Id of its price book; null for the catalogue's prices",
      example: null,
    }),
    next_book: orNull(z.object({ id: orNull(z.string()), starts_at: time })).openapi({
      description: "The price book that follows; null if none does",
      example: null,
    }),
    available: euros.openapi({ description: "What new work may cost, in EUR" }),
    owed: euros.openapi({ description: "Debt after a payment was taken back, in EUR" }),
    created_at: time,
    limits: z.object({
      running: use.openapi({ description: "Generations that run at once" }),
      uploads: use.openapi({ description: "Bytes of uploads" }),
      per_minute: z
        .object({ reads: z.int(), writes: z.int(), keys: z.int() })
        .openapi({ description: "Requests a minute" }),
    }),
    usage_metadata: z
      .array(z.object({ name: z.string().openapi({ example: "team" }), since: time }))
      .openapi({ description: "The keys of metadata by which its usage has sums, and since when" }),
    retention: Retention,
  })
  .openapi("AdminAccount");

export const AdminAccountPage = z
  .object({ data: z.array(z.object({ ...account, created_at: time })), next_cursor: nextCursor })
  .openapi("AdminAccountPage");

/** Returns the schema of a text that the database searches for: Postgres accepts no NUL. */
const searched = (maxLength: number) => z.string().max(maxLength).refine(isStorable, "must not hold \\u0000");

export const AccountQuery = z.object({
  q: searched(200)
    .default("")
    .openapi({
      description:
        "Finds accounts by the beginning of an e-mail address of the account or of a member, `@domain`, an id, the beginning " +
        "of a key, or the id of a generation; at most 50, in one page",
    }),
  ...page(" with the same `q`"),
});

export const AdminCredit = z
  .object({
    id: z.string().openapi({ description: "Id of the ledger entry", example: "42" }),
    account: z.int().openapi({ example: 1001 }),
    amount: euros.openapi({ example: 25 }),
    reference: z.string().openapi({ example: "invoice-4711" }),
    note: z.string().nullable().openapi({ example: "Invoice 4711" }),
    balance_after: euros.openapi({ description: "Balance right after it, in EUR", example: 25 }),
    created_at: time,
  })
  .openapi("AdminCredit");

const routeReport = z.object({
  route: z.string().openapi({ example: "openai:gpt-4o-mini" }),
  models: z.array(z.string()).openapi({ example: ["gpt-4o-mini"] }),
  state: z.enum(["usable", "cooling_down", "trial"]),
  reason: z.string().nullable().openapi({ example: null }),
  open_until: time.nullable(),
  last_success_at: time.nullable(),
  last_failure_at: time.nullable(),
  last_error: z.string().nullable().openapi({ example: null }),
});

export const ProviderReports = z
  .object({
    data: z.array(
      z.object({
        id: z.string().openapi({ example: "openai" }),
        kind: z.string().openapi({ example: "openai" }),
        variable: z
          .string()
          .nullable()
          .openapi({ description: "The environment variable of the key", example: "OPENAI_API_KEY" }),
        retired: z.boolean().openapi({ description: "Whether the key gets no new work" }),
        key: z.enum(["set", "missing", "none"]),
        missing: z.array(z.string()).openapi({ description: "Environment variables that are not set", example: [] }),
        in_flight: z.int(),
        max_in_flight: z.int().nullable(),
        per_minute: z.int().nullable(),
        spent_today: euros.nullable(),
        spend_limit: euros.nullable(),
        lost: z.int().openapi({ description: "Attempts of the last 30 days whose result is unknown" }),
        routes: z.array(routeReport),
      }),
    ),
  })
  .openapi("ProviderReports");

export const PaymentQuery = z.object({
  q: searched(300).optional().openapi({ description: "Id of a payment or an account, or an account's address" }),
  filter: z.enum(["pending", "failed", "refunded", "disputed", "not_credited"]).optional(),
  ...page(" with the same filters"),
});

export const AdminPaymentPage = z
  .object({
    data: z.array(
      z.object({
        id: uuid,
        account: z.int(),
        email: z.string().openapi({ example: "studio@example.org" }),
        state: z.string().openapi({ example: "paid" }),
        amount: euros,
        tax: euros,
        currency,
        kind: z.string().openapi({ example: "top_up" }),
        provider: z.string().openapi({ example: "stripe" }),
        note: z.string().nullable().openapi({ example: null }),
        reversed: euros.openapi({ description: "Taken back by refunds and disputes, without tax" }),
        refundable: euros,
        failure_code: z.string().nullable().openapi({ example: null }),
        invoice_url: z.string().nullable().openapi({ example: null }),
        error: z.string().nullable().openapi({ description: "Why it could not be credited", example: null }),
        created_at: time,
        settled_at: time.nullable(),
      }),
    ),
    next_cursor: nextCursor,
  })
  .openapi("AdminPaymentPage");

const filter = searched(300).min(1).optional();

export const AuditLogQuery = z.object({
  action: filter.openapi({ description: "Such as `account.suspend`" }),
  operator: filter.openapi({ description: "A person's e-mail address, a token's name, or a user of the system" }),
  target: filter.openapi({ description: "Id of what was changed, such as an account's" }),
  ...page(" with the same filters"),
});

const members = orNull(z.record(z.string(), z.unknown()));

export const AuditLogPage = z
  .object({
    data: z.array(
      z.object({
        id: uuid,
        created_at: time,
        action: z.string().openapi({ example: "account.suspend" }),
        target_kind: z.string().openapi({ example: "account" }),
        target_id: z.string().openapi({ example: "1001" }),
        before: members,
        after: members,
        request_id: z.string().nullable().openapi({ example: "hK2b-17" }),
        via: z.enum(["console", "cli", "api"]),
        operator: z.string().nullable().openapi({ description: "Null if it was erased", example: "backend" }),
        address: z.string().nullable().openapi({ example: "192.0.2.7" }),
        reason: z.string().nullable().openapi({ example: "Ticket 7" }),
        details: members,
      }),
    ),
    next_cursor: nextCursor,
  })
  .openapi("AuditLogPage");

export const HubStatus = z
  .object({
    held: euros,
    queues: z.array(
      z.object({
        model: z.string().openapi({ example: "sandbox-image" }),
        queued: z.int(),
        awaiting_supply: z.int(),
        running: z.int(),
        oldest_queued_at: time.nullable(),
      }),
    ),
    workers: z.array(z.string()).openapi({ description: "Names of the workers that are online", example: ["gpu-1"] }),
    deliveries: z
      .object({ pending: z.int(), oldest_at: time.nullable() })
      .openapi({ description: "Webhook deliveries that are due" }),
    failures: z
      .array(
        z.object({
          provider: z.string().openapi({ example: "openai" }),
          cause: z.string().openapi({ example: "capacity" }),
          count: z.int(),
          fault: z.enum(["customer", "hub", "provider"]),
          latest_at: time,
        }),
      )
      .openapi({ description: "Failed attempts of the last hour" }),
    money: z.object({
      balances: euros.openapi({ description: "Sum of all balances, up to a minute old" }),
      days: z.array(
        z.object({
          day: z.string().openapi({ example: "2026-11-21" }),
          billed: euros,
          provider_cost: euros,
          margin: euros,
        }),
      ),
    }),
    verdict: orNull(
      z.object({
        finished_at: time,
        duration_ms: z.int(),
        entries: z.int(),
        violations: z.int(),
        examples: z.array(z.unknown()).openapi({ example: [] }),
      }),
    ).openapi({ description: "Result of the last audit; null if none was run" }),
    alerts: z
      .array(
        z.object({
          name: z.enum(operatorAlertNames),
          subject: z.string().openapi({ example: "replicate" }),
          title: z.string().openapi({ example: "Provider replicate is down" }),
          detail: z.string().openapi({ example: "Its attempts fail: connection refused" }),
          raised_at: time,
        }),
      )
      .openapi({ description: "What is wrong with the hub now, newest first" }),
    erasures: z.array(z.object({ name: z.string().openapi({ example: "inputs" }), due: z.int() })).openapi({
      description: "How many generations have content of each kind that is due to be erased, up to 1,000 of an account",
    }),
  })
  .openapi("HubStatus");

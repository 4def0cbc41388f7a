import { optionalTokenClasses, type TokenClass, tokenClasses } from "../../catalogue/token-classes";
import { eurosSql, type Invariant } from "./scope";

/** SQL: what the account's price book multiplies the frozen price of a generation `g` by; 1 without a book. */
const factorSql =
  "(coalesce((g.price #>> '{book,multiplier}')::numeric, 1) * (1 - coalesce((g.price #>> '{book,discount}')::numeric, 0)))";

/** Invariants of the states of generations. */
export const stateInvariants: Invariant[] = [
  {
    name: "a generation is settled exactly when its state is final",
    sql: `SELECT 'generation ' || id AS subject, format('%s, settled at %s, billed %s', status, settled_at, billed_cost) AS message
          FROM generation
          WHERE (status IN ('succeeded', 'failed', 'canceled')) <> (settled_at IS NOT NULL AND completed_at IS NOT NULL)
             OR (status = 'succeeded') AND billed_cost IS NULL
             OR (status IN ('queued', 'awaiting_supply')) AND started_at IS NOT NULL AND fence = 0
             OR (status = 'failed') AND (started_at IS NULL) <> (billed_cost IS NULL)`,
  },
  {
    name: "missing files imply awaiting_supply with a deadline, and no start",
    sql: `SELECT 'generation ' || id AS subject, format('%s until %s, missing %s', status, deadline_at, missing) AS message
          FROM generation g
          WHERE CASE WHEN status = 'awaiting_supply' THEN coalesce(missing, '[]') = '[]' OR deadline_at IS NULL
                     ELSE missing IS NOT NULL AND (status IN ('queued', 'running', 'succeeded') OR started_at IS NOT NULL) END
             OR EXISTS (SELECT FROM jsonb_array_elements(missing) item
                        WHERE strpos(input::text, 'sha256:' || (item ->> 'sha256')) = 0)`,
  },
];

/** Invariants of the leases, inputs and GPU time of workers. */
export const workerInvariants: Invariant[] = [
  {
    name: "a worker's generation has all its leases, and one open lease while it runs",
    sql: `SELECT 'generation ' || g.id AS subject,
                 format('%s, fence %s, %s leases up to %s, %s of them open', g.status, g.fence, count(a.n), max(a.n), count(*) FILTER (WHERE a.ended_at IS NULL AND a.n IS NOT NULL)) AS message
          FROM generation g LEFT JOIN attempt a ON a.generation_id = g.id
          WHERE g.provider = 'worker' GROUP BY g.id, g.status, g.fence
          HAVING g.fence <> count(a.n) OR g.fence <> coalesce(max(a.n), 0) OR bool_or(a.lease_id IS NULL AND a.n IS NOT NULL)
              OR (g.status = 'running')::int <> count(*) FILTER (WHERE a.ended_at IS NULL AND a.n = g.fence)
              OR count(*) FILTER (WHERE a.ended_at IS NULL AND a.n < g.fence) > 0`,
  },
  {
    name: "a worker's generation starts with all external inputs stored, and keeps them until it ends",
    sql: `SELECT 'generation ' || g.id AS subject,
                 format('%s, fence %s, %s of %s copies, ready at %s', g.status, g.fence, count(c.stored_at), jsonb_array_length(g.external_inputs), g.inputs_ready_at) AS message
          FROM generation g LEFT JOIN input_copy c ON c.generation_id = g.id
          WHERE g.external_inputs IS NOT NULL
          GROUP BY g.id, g.status, g.fence, g.provider, g.external_inputs, g.inputs_ready_at, g.settled_at
          HAVING g.fence > 0 AND g.inputs_ready_at IS NULL OR g.provider <> 'worker'
              OR g.inputs_ready_at IS NOT NULL AND g.settled_at IS NULL AND count(c.stored_at) <> jsonb_array_length(g.external_inputs)`,
  },
  {
    name: "GPU time is within the leases and the estimate, and matches the billed cost",
    sql: `SELECT 'generation ' || g.id AS subject,
                 format('%s: %s ms of %s ms under leases, billed %s EUR of %s EUR', g.status, g.gpu_ms, leased.ms, ${eurosSql("g.billed_cost")}, ${eurosSql("g.estimated_cost")}) AS message
          FROM generation g CROSS JOIN LATERAL (
            SELECT coalesce(sum(extract(epoch FROM coalesce(a.ended_at, g.metered_at) - a.started_at) * 1000), 0) AS ms
            FROM attempt a WHERE a.generation_id = g.id
          ) leased
          WHERE g.provider = 'worker' AND (
            g.gpu_ms > leased.ms OR g.gpu_ms > (g.price->>'most_seconds')::bigint * 1000
            OR g.status IN ('succeeded', 'canceled') AND coalesce(g.billed_cost, 0)
               <> least(ceil((g.price->>'price_per_second')::numeric * ${factorSql} * 1000000 * g.gpu_ms), g.estimated_cost)
            OR g.status = 'failed' AND g.billed_cost > 0)`,
  },
];

/**
 * A generation priced by tier holds its units at its frozen price and rate, rounded up once, even if a quote has fixed the
 * price.
 */
export const tierInvariant: Invariant = {
  name: "a generation that is priced by tier holds its units at its frozen price",
  sql: `SELECT 'generation ' || g.id AS subject,
               format('holds %s EUR, its price is %s EUR', ${eurosSql("g.estimated_cost")}, ${eurosSql("priced.cost")}) AS message
        FROM generation g
        CROSS JOIN LATERAL (
          SELECT coalesce((g.price ->> 'quantity')::numeric, 1) AS total, coalesce((g.price ->> 'pictures')::numeric, 1) AS pictures,
                 (g.price ->> 'price_usd')::numeric AS first,
                 coalesce(g.price ->> 'next_price_usd', g.price ->> 'price_usd')::numeric AS next
        ) unit
        CROSS JOIN LATERAL (
          SELECT ceil((first * least(total, pictures) + next * greatest(total - pictures, 0))
                      * (g.price ->> 'eur_per_usd')::numeric * ${factorSql} * 1000000000) AS cost
        ) priced
        WHERE g.price ->> 'by' = 'tier' AND g.estimated_cost <> priced.cost`,
};

/** SQL: the tokens of a generation `g` by class, with `input` and `output` for those of no other class. */
const classesSql = (Object.keys(tokenClasses) as TokenClass[])
  .map((name) => {
    const { within } = tokenClasses[name];
    const others = optionalTokenClasses.filter((one) => tokenClasses[one].within === within);
    const count = (one: string) => `coalesce((g.token_classes ->> '${one}')::numeric, 0)`;
    const plain = `g.${within}_tokens - ${others.map(count).join(" - ")}`;
    return `('${name}', '${within}', ${name === within ? plain : count(name)})`;
  })
  .join(", ");

/**
 * A chat is charged by its frozen price: the prices of its length, by class, times those of its tier of service, rounded up
 * once and at most its estimate.
 */
export const tokenInvariant: Invariant = {
  name: "a chat costs its tokens at its frozen prices, at most its estimate",
  sql: `SELECT 'generation ' || g.id AS subject,
               format('%s input and %s output tokens %s cost %s EUR, billed %s EUR', g.input_tokens, g.output_tokens, g.token_classes,
                      ${eurosSql("priced.cost")}, ${eurosSql("g.billed_cost")}) AS message
        FROM generation g
        CROSS JOIN LATERAL (
          SELECT coalesce((SELECT entry FROM jsonb_array_elements(g.price -> 'long_context') entry
                           WHERE (entry ->> 'above')::numeric < g.input_tokens
                           ORDER BY (entry ->> 'above')::numeric DESC LIMIT 1), g.price) AS prices,
                 coalesce((g.price -> 'service_tiers' ->> (g.token_classes ->> 'service_tier'))::numeric, 1) AS multiplier
        ) length
        CROSS JOIN LATERAL (
          SELECT ceil(sum(class.tokens * coalesce(length.prices ->> (class.name || '_per_million'),
                                                  length.prices ->> (class.within || '_per_million'))::numeric)
                      * 1000 * length.multiplier * ${factorSql}) AS cost
          FROM (VALUES ${classesSql}) class (name, within, tokens)
        ) priced
        WHERE g.is_llm AND g.settled_at IS NOT NULL AND g.input_tokens IS NOT NULL AND g.price ->> 'by' = 'token'
          AND coalesce(g.billed_cost, 0) <> CASE WHEN g.status = 'failed' THEN 0
            ELSE greatest(least(priced.cost, g.estimated_cost) - coalesce((g.price ->> 'already_paid')::bigint, 0), 0) END`,
};

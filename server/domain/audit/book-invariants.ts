import type { Invariant } from "./scope";

/**
 * A generation's price follows the revision of the price books that is frozen with it: the multiplier of the first pattern that
 * its model matches, one of the discounts, or a fixed price.
 */
export const bookInvariant: Invariant = {
  name: "a price is what the frozen revision of its book says",
  sql: `SELECT 'generation ' || g.id AS subject,
               format('%s of model %s is not in revision %s', g.price -> 'book', g.model, g.price #>> '{book,revision}') AS message
        FROM generation g
        LEFT JOIN book_revision r ON r.id = (g.price #>> '{book,revision}')::int
        CROSS JOIN LATERAL (SELECT r.terms -> (g.price #>> '{book,id}') AS offered) book
        CROSS JOIN LATERAL (
          SELECT offered #> ARRAY['fixed', g.model] AS fixed, (
            SELECT (entry ->> 'multiplier')::numeric
            FROM jsonb_array_elements(offered -> 'multipliers') WITH ORDINALITY AS listed (entry, n)
            WHERE g.model LIKE replace(replace(entry ->> 'models', '_', '\\_'), '*', '%') ORDER BY n LIMIT 1
          ) AS multiplier
        ) own
        WHERE g.price ? 'book' AND (
          offered IS NULL
          OR jsonb_typeof(offered -> 'models') = 'array' AND NOT EXISTS (
            SELECT FROM jsonb_array_elements_text(offered -> 'models') AS pattern
            WHERE g.model LIKE replace(replace(pattern, '_', '\\_'), '*', '%'))
          OR CASE WHEN fixed IS NULL THEN
               g.price #> '{book,fixed}' IS NOT NULL
               OR (g.price #>> '{book,multiplier}')::numeric IS DISTINCT FROM multiplier
               OR g.price #> '{book,discount}' IS NOT NULL AND NOT EXISTS (
                 SELECT FROM jsonb_array_elements_text(offered -> 'discounts') AS discount
                 WHERE discount::numeric = (g.price #>> '{book,discount}')::numeric)
             ELSE
               g.price #> '{book,fixed}' IS NULL OR g.price #> '{book,multiplier}' IS NOT NULL OR g.price #> '{book,discount}' IS NOT NULL
               OR NOT EXISTS (SELECT FROM jsonb_array_elements(fixed) AS price WHERE g.price @> price)
             END)`,
};

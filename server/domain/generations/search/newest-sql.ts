/**
 * Returns SQL for the newest generations, as many as `limit`, that match the conditions `where` and have one of the
 * models in the array `models`, both placeholders. No index has several models in one order, so each model's newest are
 * read from the index by model and merged: a kind that is rare costs no more than a frequent one. The ids are merged
 * first, because the index has them.
 */
export function composeNewestSql(where: string, limit: string, models: string | undefined): string {
  if (models === undefined) {
    return `SELECT id, billed_cost FROM generation WHERE ${where} ORDER BY account_id, id DESC LIMIT ${limit}`;
  }
  return `
    SELECT generation.id, generation.billed_cost FROM (
      SELECT of_model.id FROM unnest(${models}::text[]) AS wanted (model) CROSS JOIN LATERAL (
        SELECT id FROM generation WHERE ${where} AND model = wanted.model ORDER BY account_id, id DESC LIMIT ${limit}
      ) of_model ORDER BY of_model.id DESC LIMIT ${limit}
    ) merged JOIN generation ON generation.id = merged.id`;
}

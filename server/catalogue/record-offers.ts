import type { Db } from "../db/client";
import type { Model, OfferedModel } from "./model";

/** Records when models were first offered, and returns them with that time: `now` for those never seen before. */
export async function recordOffers(db: Db, models: Model[], now: Date): Promise<OfferedModel[]> {
  const ids = models.map(({ id }) => id);
  await db.query(
    "INSERT INTO offered_model (id, first_offered_at) SELECT unnest($1::text[]), $2 ON CONFLICT (id) DO NOTHING",
    [ids, now],
  );
  // A statement of its own: the first one would not see what another process inserts at the same time.
  const rows = await db.query<{ id: string; first_offered_at: Date }>(
    "SELECT id, first_offered_at FROM offered_model WHERE id = ANY ($1)",
    [ids],
  );
  const times = new Map(rows.map((row) => [row.id, row.first_offered_at]));
  return models.map((model) => ({ ...model, firstOfferedAt: times.get(model.id)! }));
}

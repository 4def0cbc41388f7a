import type { Db, Queryable } from "../../server/db/client";

/**
 * Returns a database whose statements fail once `left` of them were sent, as if the process were killed there: an open
 * transaction is rolled back, and what follows never runs.
 */
export function killableDb(db: Db): { db: Db; kill: { left: number } } {
  const kill = { left: Infinity };
  const wrap = (on: Queryable): Queryable => ({
    query(text, values) {
      if ((kill.left -= 1) < 0) return Promise.reject(new Error("killed"));
      return on.query(text, values);
    },
  });
  const transaction: Db["transaction"] = (work) => db.transaction((tx) => work(wrap(tx)));
  const pipelines = { ledgerConnection: wrap(db.ledgerConnection), shortReads: wrap(db.shortReads) };
  return { kill, db: { ...db, ...wrap(db), ...pipelines, transaction } };
}

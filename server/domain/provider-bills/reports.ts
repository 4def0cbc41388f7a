import { jsonb, jsonbText, text, timestamptz, uuid } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import { newId } from "../../lib/id";
import type { BillReport } from "./bill-report";
import type { BillsHub } from "./hub";

/** How many differences of a kind are stored for the operator's console. */
const MAX_STORED = 100;
/** How many reports of each provider are stored. */
const MAX_REPORTS = 12;

/** Stores a report for the operator's console, which shows the newest of each provider. */
export async function storeBillReport(hub: Pick<BillsHub, "db" | "now">, report: BillReport): Promise<void> {
  const cut = { ...report };
  for (const kind of ["billed_not_known", "known_not_billed", "differing"] as const)
    cut[kind] = { ...cut[kind], items: cut[kind].items.slice(0, MAX_STORED) };
  await insertReport(hub.db, newId(), report.provider, hub.now(), JSON.stringify(cut));
  await deleteOldReports(hub.db, report.provider);
}

const insertReport = statement({
  params: [uuid, text, timestamptz, jsonbText],
  row: {},
  text: "INSERT INTO bill_report (id, provider, created_at, report) VALUES ($1, $2, $3, $4)",
});

const deleteOldReports = statement({
  params: [text],
  row: {},
  text: `
    DELETE FROM bill_report WHERE provider = $1 AND id NOT IN (
      SELECT id FROM bill_report WHERE provider = $1 ORDER BY id DESC LIMIT ${MAX_REPORTS})`,
});

const columns = { id: uuid, created_at: timestamptz, report: jsonb<BillReport>() };

/** A stored report. */
type StoredBillReport = Omit<RowOf<typeof columns>, "created_at"> & { created_at: string };

/** Returns the newest report of each provider, the newest first. */
export const listBillReports = async (hub: Pick<BillsHub, "db">): Promise<StoredBillReport[]> =>
  (await selectReports(hub.db)).map(({ created_at, ...row }) => ({ ...row, created_at: created_at.toISOString() }));

const selectReports = statement({
  params: [],
  row: columns,
  text: `
    SELECT id, created_at, report FROM (
      SELECT DISTINCT ON (provider) id, created_at, report FROM bill_report ORDER BY provider, id DESC
    ) newest ORDER BY id DESC`,
});

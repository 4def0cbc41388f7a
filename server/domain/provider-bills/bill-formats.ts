import { divCeil, NANO_PER_UNIT, type Nano } from "../../lib/money";
import { type BillLine, DAY_MS, dayOf, type MatchedBy } from "./bill";
import { readBillAmount, readBillTime } from "./read-values";

/** A record of a bill: its values by column, as text; "" for an empty one and for a column that it does not have. */
export type BillRecord = (column: string) => string;

/** A format of bills. `read` throws RangeError for a value that it cannot read, and returns null for what was not billed. */
interface BillFormat {
  name: string;
  matchedBy: MatchedBy;
  /** The columns by which it is recognized: one of each list. */
  columns: string[][];
  read: (record: BillRecord) => BillLine | null;
}

/** The formats, in the order in which they are recognized. */
export const billFormats: BillFormat[] = [
  {
    name: "fal",
    matchedBy: "handle",
    columns: [["request_id"], ["cost_total", "cost_estimate_nano_usd", "unit_price"]],
    read: (record) => ({
      subject: requireHandle(record, "request_id"),
      at: readBillTime(record("timestamp")),
      amount: readFalAmount(record),
      currency: "usd",
    }),
  },
  {
    name: "openai",
    matchedBy: "day",
    columns: [["amount_value"], ["start_time"]],
    read: readOpenaiLine,
  },
  {
    name: "replicate",
    matchedBy: "handle",
    columns: [["id"], ["created_at"], ["status"]],
    read: readReplicateLine,
  },
  {
    name: "plain",
    matchedBy: "handle",
    columns: [["handle"], ["cost"]],
    read: (record) => ({
      subject: requireHandle(record, "handle"),
      at: readBillTime(record("time")),
      amount: readBillAmount(record("cost")),
      currency: readCurrency(record("currency")),
    }),
  },
];

/** Events of fal's billing have the total; older ones have the units and their price. */
function readFalAmount(record: BillRecord): Nano | null {
  const total = readBillAmount(record("cost_total"));
  if (total !== null) return total;
  if (/^\d{1,18}$/.test(record("cost_estimate_nano_usd"))) return BigInt(record("cost_estimate_nano_usd"));
  const [units, price] = [readBillAmount(record("output_units")), readBillAmount(record("unit_price"))];
  if (units === null || price === null) return null;
  const discount = readBillAmount(record("percent_discount")) ?? 0n;
  return divCeil(units * price * (100n * NANO_PER_UNIT - discount), 100n * NANO_PER_UNIT * NANO_PER_UNIT);
}

/** Lines of a cost export are sums of a day, one for each line item; a day without costs has an empty amount. */
function readOpenaiLine(record: BillRecord): BillLine | null {
  const amount = readBillAmount(record("amount_value"));
  if (amount === null) return null;
  const [start, end] = [readBillTime(record("start_time")), readBillTime(record("end_time"))];
  if (!start) throw new RangeError("start_time is empty");
  if (end && end.getTime() - start.getTime() > DAY_MS)
    throw new RangeError("it covers more than a day: export with an interval of one day");
  return { subject: dayOf(start), at: start, amount, currency: readCurrency(record("amount_currency")) };
}

/** Replicate's predictions have no amount. One that failed or was canceled before it ran was not billed. */
function readReplicateLine(record: BillRecord): BillLine | null {
  const hasRun = Number(record("metrics.predict_time") || record("predict_time")) > 0;
  if (record("status") !== "succeeded" && !hasRun) return null;
  return {
    subject: requireHandle(record, "id"),
    at: readBillTime(record("completed_at")) ?? readBillTime(record("created_at")),
    amount: readBillAmount(record("cost")),
    currency: "usd",
  };
}

/** What providers call a job; anything else cannot be an id, and a terminal or Postgres may not take it. */
const HANDLE = /^[\x20-\x7e]{1,4096}$/;

function requireHandle(record: BillRecord, column: string): string {
  const value = record(column).trim();
  if (value === "") throw new RangeError(`${column} is empty`);
  if (!HANDLE.test(value)) throw new RangeError(`${column} has characters that no id has, or more than 4096`);
  return value;
}

function readCurrency(text: string): BillLine["currency"] {
  const currency = text.trim().toLowerCase() || "usd";
  if (currency !== "usd" && currency !== "eur") throw new RangeError(`"${text.slice(0, 40)}" is neither USD nor EUR`);
  return currency;
}

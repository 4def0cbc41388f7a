import type { Nano } from "../../lib/money";
import { type Failure, failureCodes } from "../../providers/provider";
import { type Missing, missingSql } from "../references/missing";
import type { Status } from "./transitions";

export { type Failure, failureCodes };

/** An output as selected with its generation. */
export interface OutputRow {
  id: string;
  index: number;
  media_type: string;
  size: number;
  expires_at: string;
}

/** A row of the table `generation` with its outputs and missing files. Money is in nano-euros. */
export interface Generation {
  id: string;
  account_id: number;
  key_id: string | null;
  model: string;
  is_llm: boolean;
  status: Status;
  input: Record<string, unknown>;
  estimated_cost: Nano;
  billed_cost: Nano | null;
  price: unknown;
  provider: string;
  batch_id: string | null;
  idempotency_key: string | null;
  fingerprint: Buffer | null;
  progress: number | null;
  error: Failure | null;
  run_id: string | null;
  timeout_seconds: number;
  created_at: Date;
  started_at: Date | null;
  deadline_at: Date | null;
  completed_at: Date | null;
  outputs: OutputRow[];
  missing: Missing[];
}

const columns = [
  "id", "account_id", "key_id", "model", "is_llm", "status", "input", "estimated_cost", "billed_cost", "price", "provider",
  "batch_id", "idempotency_key", "fingerprint", "progress", "error", "run_id", "timeout_seconds", "created_at", "started_at", "deadline_at", "completed_at",
]; // prettier-ignore

const outputJsonSql = `json_build_object('id', f.id, 'index', f.index, 'media_type', f.media_type, 'size', f.size, 'expires_at', f.expires_at)`;

/** SQL: the outputs among the rows of `source` as a JSON array. */
export const outputListSql = (source: string, where: string) =>
  `(SELECT coalesce(json_agg(${outputJsonSql} ORDER BY f.index), '[]') FROM ${source} f WHERE ${where})`;

/** SQL: the column `outputs`, like `outputListSql`. */
export const outputsSql = (source: string, where: string) => `${outputListSql(source, where)} AS outputs`;

/** SQL: the columns of a generation from a table or CTE called `alias`. */
export const columnsSql = (alias: string) => columns.map((name) => `${alias}.${name}`).join(", ");

/** SQL: the columns of a `Generation` from the table under the alias `g`. */
export const generationSql = `${columnsSql("g")}, ${outputsSql("file", "f.generation_id = g.id AND f.stored_at IS NOT NULL")}, ${missingSql}`;

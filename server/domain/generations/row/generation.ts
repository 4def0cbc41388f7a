import type { Metadata } from "../../../context";
import {
  bool,
  bytea,
  float4,
  int4,
  int8,
  json,
  jsonb,
  nullable,
  text,
  textOf,
  timestamptz,
  uuid,
} from "../../../db/column-types";
import { columnList, type RowOf } from "../../../db/statement";
import { type Failure, failureCodes } from "../../../providers/failure";
import type { TokenClasses } from "../../tokens";
import type { Missing } from "../../references";
import { missingSql } from "../../references/sql";
import type { Status } from "./transitions";

/** The maximum number of outputs of a generation. */
export const MAX_OUTPUTS = 100;

export { type Failure, failureCodes };

/** An output as selected with its generation. */
export interface OutputRow {
  id: string;
  index: number;
  media_type: string;
  size: number;
  expires_at: string;
}

/** What `/v1/videos` shows of a request besides the generation: as asked, else the model's default, else null. */
export interface VideoRequest {
  seconds: string | null;
  size: string | null;
}

/** The columns of the table that customers see. */
const listedColumns = {
  id: uuid,
  model: text,
  is_llm: bool,
  status: textOf<Status>(),
  input: jsonb<Record<string, unknown>>(),
  estimated_cost: int8,
  billed_cost: nullable(int8),
  provider: text,
  batch_id: nullable(uuid),
  /** -1 low, 0 normal, 1 high. */
  priority: int4,
  metadata: nullable(jsonb<Metadata>()),
  end_user: nullable(text),
  progress: nullable(float4),
  error: nullable(jsonb<Failure>()),
  created_at: timestamptz,
  /** When its content was erased: its input is empty, and it has no labels. */
  erased_at: nullable(timestamptz),
  started_at: nullable(timestamptz),
  completed_at: nullable(timestamptz),
  input_tokens: nullable(int4),
  output_tokens: nullable(int4),
  token_classes: nullable(jsonb<TokenClasses>()),
};

/** The columns of the table that a `Generation` has. */
export const columns = {
  ...listedColumns,
  account_id: int4,
  key_id: nullable(uuid),
  price: jsonb<unknown>(),
  idempotency_key: nullable(text),
  fingerprint: nullable(bytea),
  run_id: nullable(text),
  timeout_seconds: int4,
  deadline_at: nullable(timestamptz),
};

const files = { outputs: json<OutputRow[]>(), missing: jsonb<Missing[]>() };

/** The columns of `visibleSql`. */
export const visibleColumns = { ...listedColumns, ...files };

/** The members of a generation that customers see. */
export type VisibleGeneration = RowOf<typeof visibleColumns>;

/** The columns of `generationSql`. */
export const generationColumns = { ...columns, ...files };

/** A row of the table `generation` with its outputs and missing files. Money is in nano-euros. */
export type Generation = RowOf<typeof generationColumns>;

const outputJsonSql = `json_build_object('id', f.id, 'index', f.index, 'media_type', f.media_type, 'size', f.size, 'expires_at', f.expires_at)`;

/** Returns SQL for the outputs among the rows of `source` as a JSON array. */
export const outputListSql = (source: string, where: string) =>
  `(SELECT coalesce(json_agg(${outputJsonSql} ORDER BY f.index), '[]') FROM ${source} f WHERE ${where})`;

/** Returns SQL for the column `outputs`, like `outputListSql`. */
export const outputsSql = (source: string, where: string) => `${outputListSql(source, where)} AS outputs`;

/** Returns SQL for the columns of a generation from a table or CTE called `alias`. */
export const columnsSql = (alias: string): string => columnList(columns, alias);

const filesSql = `${outputsSql("file", "f.generation_id = g.id AND f.stored_at IS NOT NULL")}, ${missingSql}`;

/** SQL: the columns of a `Generation` from the table under the alias `g`. */
export const generationSql = `${columnsSql("g")}, ${filesSql}`;

/** SQL: the columns of a `VisibleGeneration` from the table under the alias `g`. */
export const visibleSql = `${columnList(listedColumns, "g")}, ${filesSql}`;

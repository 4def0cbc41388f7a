import type { Exposure } from "../../env";
import { toEuros, toEurosOrNull } from "../../lib/money";
import { showFailure } from "../exposure";
import { describeUsage } from "../tokens";
import type { FoundRequest } from "./select-requests";

export type RequestItem = ReturnType<typeof serializeRequest>;

/** Returns a generation or a rejected request for the console, as far as `exposure` shows routes and messages of providers. */
export function serializeRequest(row: FoundRequest, exposure: Exposure) {
  const { id, key_id, key_name, key_scope } = row;
  const shared = {
    id,
    created_at: row.created_at.toISOString(),
    /** Null for what members started in the console. */
    key: key_id === null ? null : { id: key_id, name: key_name!, scope: key_scope! },
  };
  return row.model === null
    ? { ...shared, ...serializeRejected(row) }
    : { ...shared, ...serializeGeneration(row, exposure) };
}

const serializeRejected = ({ request_id, method, path, status, code, message, generation_id }: FoundRequest) => ({
  kind: "rejected" as const,
  request_id: request_id!,
  method: method!,
  path: path!,
  status: status!,
  code: code!,
  message: message!,
  generation_id,
});

function serializeGeneration(row: FoundRequest, exposure: Exposure) {
  const attempts = exposure === "off" ? [] : (row.attempts ?? []);
  return {
    kind: "generation" as const,
    model: row.model!,
    is_llm: row.is_llm!,
    status: row.generation_status!,
    error: showFailure(exposure, row.error, row.provider!),
    estimated_cost: toEuros(row.estimated_cost!),
    billed_cost: toEurosOrNull(row.billed_cost),
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    erased_at: row.erased_at?.toISOString() ?? null,
    usage: row.is_llm && row.completed_at !== null ? describeUsage(row) : null,
    attempts: attempts.map(({ route, ...times }) => ({ ...times, route: exposure === "full" ? route : null })),
  };
}

import type { HubParts } from "../../context";
import type { Queryable } from "../../db/client";
import { int4, jsonbText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isUniqueViolation } from "../../db/violation";
import { newId } from "../../lib/id";

/** The parts of the hub that an operator's action uses. Commands have no metrics. */
export type OperatorActionsHub = Pick<HubParts, "now"> &
  Partial<Pick<HubParts, "metrics">> & { db: Pick<HubParts["db"], "transaction"> };

/** Who operates the hub: a person in the console, the user who runs a command, or a program with a token. */
export interface Operator {
  /** Null except in the console. */
  personId: number | null;
  /** Absent except for a program. */
  tokenId?: string;
  /** The person's e-mail address, the name of the operating system's user, or that of the token. */
  name: string;
  address: string | null;
  requestId: string | null;
}

/** What an action changes, e.g. `account` and its id. */
export interface Target {
  kind: string;
  id: string;
}

interface OperatorAction {
  /** A stable name, e.g. `account.suspend`. */
  action: string;
  target: Target;
  /** Why, in the operator's words. */
  reason?: string | null;
}

/** A change for the audit log. Personal data belongs in `details`, not into `before` and `after`. */
export interface Change<T> {
  before: object | null;
  after: object | null;
  details?: object;
  /** Replaces the target of the action, if its id was not known before. */
  target?: Target;
  result: T;
}

/**
 * Makes a change and records it in the audit log, in one transaction. `change` returns null if it changed nothing, which is
 * not recorded. After a unique violation it runs again, because a concurrent call has then inserted the row that it looks for.
 */
export async function operate<T>(
  hub: OperatorActionsHub,
  operator: Operator,
  { action, target, reason = null }: OperatorAction,
  change: (tx: Queryable) => Promise<Change<T> | null>,
): Promise<T | null> {
  const run = () =>
    hub.db.transaction(async (tx) => {
      const changed = await change(tx);
      if (!changed) return null;
      const { kind, id } = changed.target ?? target;
      const { personId, tokenId = null, name, address, requestId } = operator;
      await insertAction(
        tx,
        newId(),
        hub.now(),
        personId,
        tokenId,
        viaOf(operator),
        action,
        kind,
        id,
        toJson(changed.before),
        toJson(changed.after),
        requestId,
        name,
        address,
        reason,
        toJson(changed.details ?? null),
      );
      return changed.result;
    });
  const result = await run().catch((error: unknown) => {
    if (isUniqueViolation(error)) return run();
    throw error;
  });
  if (result !== null) hub.metrics?.adminActions.add({ action });
  return result;
}

function viaOf({ personId, tokenId }: Operator): "console" | "cli" | "api" {
  if (tokenId !== undefined) return "api";
  return personId === null ? "cli" : "console";
}

const toJson = (value: object | null): string | null => value && JSON.stringify(value);

const insertAction = statement({
  // prettier-ignore
  params: [
    uuid, timestamptz, nullable(int4), nullable(uuid), text, text, text, text, nullable(jsonbText), nullable(jsonbText),
    nullable(text), text, nullable(text), nullable(text), nullable(jsonbText),
  ],
  row: {},
  text: `
    WITH action AS (
      INSERT INTO operator_action (id, created_at, person_id, token_id, via, action, target_kind, target_id, before, after, request_id)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING id
    )
    INSERT INTO operator_action_text (action_id, operator, address, reason, details)
    SELECT id, $12, $13, $14, $15 FROM action`,
});

import type { HubParts } from "../../context";
import type { Queryable } from "../../db/client";
import { int4, jsonbText, nullable, text, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { isUniqueViolation } from "../../db/violation";
import { newId } from "../../lib/id";

/** What an action of an operator needs of the hub; what is counted is optional, since commands serve no metrics. */
export type OperatorActionsHub = Pick<HubParts, "now"> &
  Partial<Pick<HubParts, "metrics">> & { db: Pick<HubParts["db"], "transaction"> };

/** Who operates the hub: a person in the console, or whoever runs a command. */
export interface Operator {
  /** Null at the command line. */
  personId: number | null;
  /** The person's e-mail address, or the name of the system's user. */
  name: string;
  address: string | null;
  requestId: string | null;
}

/** What an action changes: `account` and its id, for example. */
export interface Target {
  kind: string;
  id: string;
}

export interface OperatorAction {
  /** A stable name, such as `account.suspend`. */
  action: string;
  target: Target;
  /** Why, in the operator's words. */
  reason?: string | null;
}

/** What a verb changed, for the audit log. `before` and `after` hold nothing about people: `details` does. */
export interface Change<T> {
  before: object | null;
  after: object | null;
  details?: object;
  /** Instead of the target of the action, where its id is known only now. */
  target?: Target;
  result: T;
}

/**
 * Runs a verb and records it in the audit log, in one transaction: the change and its row exist together or not at all.
 * A verb that changed nothing returns null and is not recorded. It runs again after a unique violation, because then
 * another call has just inserted what it looks for.
 */
export async function operate<T>(
  hub: OperatorActionsHub,
  operator: Operator,
  { action, target, reason = null }: OperatorAction,
  verb: (tx: Queryable) => Promise<Change<T> | null>,
): Promise<T | null> {
  const run = () =>
    hub.db.transaction(async (tx) => {
      const change = await verb(tx);
      if (!change) return null;
      const { kind, id } = change.target ?? target;
      const { personId, name, address, requestId } = operator;
      const row = [newId(), hub.now(), personId, personId === null ? "cli" : "console", action, kind, id] as const;
      const values = [toJson(change.before), toJson(change.after), requestId] as const;
      await insertAction(tx, ...row, ...values, name, address, reason, toJson(change.details ?? null));
      return change.result;
    });
  const result = await run().catch((error: unknown) => {
    if (isUniqueViolation(error)) return run();
    throw error;
  });
  if (result !== null) hub.metrics?.adminActions.add({ action });
  return result;
}

const toJson = (value: object | null): string | null => value && JSON.stringify(value);

const insertAction = statement({
  // prettier-ignore
  params: [
    uuid, timestamptz, nullable(int4), text, text, text, text, nullable(jsonbText), nullable(jsonbText), nullable(text),
    text, nullable(text), nullable(text), nullable(jsonbText),
  ],
  row: {},
  text: `
    WITH action AS (
      INSERT INTO operator_action (id, created_at, person_id, via, action, target_kind, target_id, before, after, request_id)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id
    )
    INSERT INTO operator_action_text (action_id, operator, address, reason, details)
    SELECT id, $11, $12, $13, $14 FROM action`,
});

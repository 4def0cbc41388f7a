import type { Operator } from "../server/domain/operator-actions/operate";

/** The actor of the operator's commands. */
export const testOperator: Operator = { personId: null, name: "test", address: null, requestId: null };

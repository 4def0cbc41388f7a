import type { Operator } from "../server/domain/operator-actions/operate";

/** Whoever runs a command. */
export const testOperator: Operator = { personId: null, name: "test", address: null, requestId: null };

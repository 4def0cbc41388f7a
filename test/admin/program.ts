import type { HubRole } from "../../server/context";
import { createOperatorToken } from "../../server/domain/operator-tokens/operator-token";
import { newId } from "../../server/lib/id";
import { parseDecimal } from "../../server/lib/money";
import { callApi, type Reply, type Request } from "../api/call";
import type { Host } from "../api/hosts";
import type { TestHub } from "../hub";
import { testOperator } from "../operator";

interface ProgramOptions {
  role?: HubRole;
  expiresAt?: Date;
  /** EUR. */
  dailyCredit?: number;
}

export interface Program {
  id: string;
  name: string;
  token: string;
}

/** Creates a token for an operator's program. */
export async function newProgram(hub: TestHub, options: ProgramOptions = {}): Promise<Program> {
  const { role = "operator", expiresAt = null, dailyCredit } = options;
  const { token, record } = await createOperatorToken(hub, testOperator, {
    name: newId(),
    role,
    expiresAt,
    dailyCredit: dailyCredit === undefined ? null : parseDecimal(dailyCredit),
  });
  return { id: record.id, name: record.name, token };
}

/** Sends a request of a program to the management API. */
export const callAdmin = (
  host: Host,
  { token }: Program,
  method: string,
  path: string,
  request: Request = {},
): Promise<Reply> => callApi(host, method, `/api/v1/admin/${path}`, { ...request, key: token });

/** Returns the rows that a program has in the audit log, oldest first. */
export const actionsOf = (hub: TestHub, { id }: Program) =>
  hub.db.query<{ action: string; operator: string; via: string; target_id: string; before: unknown; after: unknown }>(
    `SELECT o.action, t.operator, o.via, o.target_id, o.before, o.after
     FROM operator_action o JOIN operator_action_text t ON t.action_id = o.id WHERE o.token_id = $1 ORDER BY o.id`,
    [id],
  );

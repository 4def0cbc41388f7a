import type { z } from "zod";
import { type Account, contextOf, type Ctx, type HubRole } from "../context";
import type { Hub } from "../domain/hub";
import type { Operator } from "../domain/operator-actions";

/** What the operator's console and the management API have in common: both transports read one declaration. */
export interface OperatorAction<Input, Result, Body extends z.ZodObject | undefined = z.ZodObject | undefined> {
  /** The role of the hub that a person or a token needs. */
  access: HubRole;
  /** The body of a request of the management API, which also has an id in its path. */
  body?: Body;
  run: (hub: Hub, operator: Operator, input: Input) => Promise<Result>;
}

/** Returns an action of operators. */
export const defineOperatorAction = <Input, Result, Body extends z.ZodObject | undefined = undefined>(
  action: OperatorAction<Input, Result, Body>,
): OperatorAction<Input, Result, Body> => action;

/** Returns the context of an account in which an operator acts. */
export const contextForOperator = (hub: Hub, account: Account, { requestId }: Operator): Ctx<Hub> =>
  contextOf(hub, account, { kind: "user" }, requestId ?? "operator");

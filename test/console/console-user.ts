import { contextOf } from "@/server/context";
import type { Hub } from "@/server/domain/hub";
import { createCallerFactory } from "@/server/trpc/procedure";
import { root } from "@/server/trpc/root";
import { type Customer, newCustomer } from "../api/customer";
import type { TestHub } from "../hub";
import { ownerSession } from "../session";

const callerOf = createCallerFactory(root);

/** Creates an account, and returns it with the console's procedures for its session. */
export async function newConsoleUser(hub: TestHub, options: Parameters<typeof newCustomer>[1] = {}) {
  const customer: Customer = await newCustomer(hub, options);
  const { account, actor } = await ownerSession(hub, customer.account);
  const sessionOn = (on: Hub) => contextOf(on, account, actor, "test");
  /** Returns the procedures on the hub of another process. */
  const consoleOn = (on: Hub) => callerOf({ hub: on, session: sessionOn(on), address: null });
  return { ...customer, session: sessionOn(hub), console: consoleOn(hub), consoleOn };
}

import { giveSecondFactor } from "../../e2e/authenticator";
import type { SeededHub } from "./seeded-hub";

/** Makes the signed-in person an operator with a payment, and returns the ids for the pages of operators. */
export async function openAdmin(hub: SeededHub): Promise<Record<string, string[]>> {
  const { email } = hub.demo;
  await hub.cli("operator", "grant", "--email", email, "--role", "operator");
  await giveSecondFactor(hub, email);
  const payment = ["--amount", "10", "--reference", "transfer-1", "--json"];
  const { stdout } = await hub.cli("payment", "record", "--email", email, ...payment);
  return {
    "/admin/accounts/[id]": ["1"],
    "/admin/payments/[id]": [(JSON.parse(stdout) as { id: string }).id],
  };
}

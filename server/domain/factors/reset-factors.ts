import { operate, type Operator } from "../operator-actions";
import { endPersonSessions, getPerson } from "../people";
import { removeFactors } from "./factor";
import type { FactorsHub } from "./hub";
import { sendFactorNotice } from "./notice";

/**
 * Removes every second factor of a person and ends their sessions, by an operator; does nothing without a factor. Throws a
 * 404 when there is no such person.
 */
export async function resetFactors(hub: FactorsHub, operator: Operator, email: string): Promise<boolean> {
  const person = await getPerson(hub, email);
  const target = { kind: "person", id: String(person.id) };
  const isReset = await operate(hub, operator, { action: "person.reset-factors", target }, async (tx) => {
    const [removed] = await removeFactors(tx, person.id);
    const before = { passkeys: Number(removed!.passkeys), authenticator_apps: Number(removed!.apps) };
    if (before.passkeys + before.authenticator_apps === 0) return null;
    await endPersonSessions(tx, person.id);
    const after = { passkeys: 0, authenticator_apps: 0 };
    return { before, after, details: { email: person.email }, result: true };
  });
  if (isReset) sendFactorNotice({ hub, person }, "The operator of the hub removed all second factors of your account.");
  return isReset ?? false;
}

import type { HubRole } from "../../context";
import { int4, nullable, text, textOf } from "../../db/column-types";
import { statement } from "../../db/statement";
import { operate, type Operator } from "../operator-actions";
import type { PeopleHub } from "./hub";
import { getPerson } from "./person";

/** The roles that a person can have in the operator's console. */
export const hubRoles = ["operator", "auditor"] as const satisfies readonly HubRole[];

/**
 * Gives a person a role of the hub from their next request on; null withdraws it. Does nothing if they have that role.
 * Throws a 404 if there is no such person.
 */
export async function setHubRole(
  hub: PeopleHub,
  operator: Operator,
  email: string,
  role: HubRole | null,
): Promise<void> {
  const person = await getPerson(hub, email);
  const target = { kind: "person", id: String(person.id) };
  await operate(hub, operator, { action: role ? "operator.grant" : "operator.revoke", target }, async (tx) => {
    const [changed] = await updateHubRole(tx, person.id, role);
    if (!changed) return null;
    return { before: { role: changed.before }, after: { role }, details: { email: person.email }, result: undefined };
  });
}

const updateHubRole = statement({
  params: [int4, nullable(text)],
  row: { before: nullable(textOf<HubRole>()) },
  text: `
    WITH locked AS MATERIALIZED (SELECT id, hub_role FROM person WHERE id = $1 FOR NO KEY UPDATE)
    UPDATE person SET hub_role = $2 FROM locked
    WHERE person.id = locked.id AND locked.hub_role IS DISTINCT FROM $2
    RETURNING locked.hub_role AS before`,
});

/** Returns the people with a role of the hub, by e-mail address. */
export const listHubRoles = (hub: PeopleHub) => selectHubRoles(hub.db);

const selectHubRoles = statement({
  params: [],
  row: { email: text, role: nullable(textOf<HubRole>()) },
  text: "SELECT email, hub_role AS role FROM person WHERE hub_role IS NOT NULL ORDER BY email",
});

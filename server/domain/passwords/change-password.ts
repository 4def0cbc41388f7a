import type { Person } from "../../context";
import { int4, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { operate, type Operator } from "../operator-actions";
import { throttleAttempts } from "../rates";
import { getPerson } from "../people";
import type { PasswordsHub } from "./hub";
import { hashPassword, checkPasswordLength, isPassword } from "./password";

/**
 * Replaces a person's password on behalf of an operator, and ends all their sessions. Throws a 400 if the password is too
 * short or too long, and a 404 if there is no such person.
 */
export async function setPassword(
  hub: PasswordsHub,
  operator: Operator,
  email: string,
  password: string,
): Promise<void> {
  const passwordHash = await hashPassword(password);
  const person = await getPerson(hub, email);
  const target = { kind: "person", id: String(person.id) };
  await operate(hub, operator, { action: "person.set-password", target }, async (tx) => {
    await replacePassword(tx, person.id, passwordHash);
    return { before: null, after: null, details: { email: person.email }, result: undefined };
  });
}

/** Sets the password hash `$2` of the person `$1`, ends all sessions and invalidates reset links. */
const replacePassword = statement({
  params: [int4, text],
  row: {},
  text: `
    WITH invalidated AS (DELETE FROM password_reset WHERE person_id = $1)
    UPDATE person SET password_hash = $2, session_version = session_version + 1 WHERE id = $1`,
});

/**
 * Replaces the password of the person who is signed in, and ends all their sessions, including the current one. Throws a
 * 400 if the current password is wrong or the new one is invalid, and a 429 after too many wrong passwords.
 */
export async function changePassword(
  hub: PasswordsHub,
  { id }: Pick<Person, "id">,
  request: { current: string; password: string },
): Promise<void> {
  checkPasswordLength(request.password);
  const counters = [{ buckets: hub.services.rateLimits.wrongPasswords.byOwner, key: String(id) }];
  const person = await throttleAttempts(hub, counters, async () => {
    const select = { passwordHash: true, sessionVersion: true };
    const found = await hub.db.prisma.person.findUniqueOrThrow({ where: { id }, select });
    return (await isPassword(request.current, found.passwordHash)) ? found : null;
  });
  const hash = person && (await hashPassword(request.password));
  const isChanged = hash && (await replaceUnchanged(hub.db, id, hash, person.passwordHash!, person.sessionVersion))[0];
  if (!isChanged) throw invalidInput("current", "That’s not your current password.");
}

/**
 * Does what `replacePassword` does, and returns the person, if they still have the password `$3` and sessions of the version
 * `$4`: a reset or a sign-out everywhere while the new password is hashed wins.
 */
const replaceUnchanged = statement({
  params: [int4, text, text, int4],
  row: { id: int4 },
  text: `
    WITH changed AS (
      UPDATE person SET password_hash = $2, session_version = session_version + 1
      WHERE id = $1 AND password_hash = $3 AND session_version = $4 RETURNING id
    ),
    invalidated AS (DELETE FROM password_reset WHERE person_id IN (SELECT id FROM changed))
    SELECT id FROM changed`,
});

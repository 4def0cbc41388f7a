import { bool, int4, nullable, text } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError, invalidInput } from "../../errors";
import { isPassword } from "../passwords";
import { throttleAttempts } from "../rates";
import { hasFactorSql } from "../sessions/sql";
import { markFirstStep } from "../sessions";
import type { FactorCtx } from "./factor";

/**
 * Verifies a person without a second factor by password. Throws a 400 if it is wrong, a 409 for a person with a second
 * factor, which a password does not replace, and a 429 after too many wrong passwords.
 */
export async function confirmPassword({ hub, person, sessionId }: FactorCtx, password: string): Promise<void> {
  const [row] = await selectPassword(hub.db, person.id);
  if (row?.has_factor) throw new AppError("invalid_state", "Use your passkey, a code or a recovery code.");
  const counters = [{ buckets: hub.services.rateLimits.wrongPasswords.byOwner, key: String(person.id) }];
  const isCorrect = await throttleAttempts(
    hub,
    counters,
    async () => (await isPassword(password, row?.password_hash ?? null)) || null,
  );
  if (!isCorrect) throw invalidInput("password", "That’s not your password.");
  await markFirstStep(hub.db, sessionId, hub.now());
}

const selectPassword = statement({
  params: [int4],
  row: { password_hash: nullable(text), has_factor: bool },
  text: `SELECT password_hash, ${hasFactorSql("p.id")} AS has_factor FROM person p WHERE p.id = $1`,
});

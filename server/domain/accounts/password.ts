import { hash, verify } from "@node-rs/argon2";
import { invalidInput } from "../../errors";

const LEAST = 8;
// Argon2 reads all of it, so its length is work.
const MOST = 256;

/** Throws a 400 unless the password may be used. */
export function checkPassword(password: string, place = "password"): void {
  if (password.length < LEAST || password.length > MOST) {
    throw invalidInput(place, `must have ${LEAST} to ${MOST} characters`);
  }
}

/** Argon2id, with the parameters that OWASP recommends. 400 when the password may not be used. */
export async function hashPassword(password: string, place?: string): Promise<string> {
  checkPassword(password, place);
  return hash(password);
}

let nobodys: Promise<string> | undefined;

/** Whether it is the password of this hash. Takes as long for an account that has none, so that time tells nothing. */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  if (password.length > MOST) return false;
  nobodys ??= hash("the password of nobody");
  const matches = await verify(passwordHash ?? (await nobodys), password);
  return matches && passwordHash !== null;
}

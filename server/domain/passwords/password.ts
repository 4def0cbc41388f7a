import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { invalidInput } from "../../errors";
import { networkOf } from "../../lib/client-address";
import { createFairQueue, type FairQueue } from "../../lib/fair-queue";

const MIN_LENGTH = 8;
// Argon2 hashes the whole password, so the length bounds the work.
const MAX_LENGTH = 256;

/** Throws a 400 unless the password has an allowed length. */
export function checkPasswordLength(password: string): void {
  if (password.length < MIN_LENGTH || password.length > MAX_LENGTH) {
    throw invalidInput("password", `must have ${MIN_LENGTH} to ${MAX_LENGTH} characters`);
  }
}

/** Returns the Argon2id hash of a password, with the parameters OWASP recommends. Throws a 400 for an invalid password. */
export async function hashPassword(password: string): Promise<string> {
  checkPasswordLength(password);
  return hash(password);
}

/** The services for passwords that the requests of one process share. */
export interface PasswordServices {
  /** Hashes passwords of people who are not signed in. Each takes a core for tens of milliseconds, so networks take turns. */
  passwordWork: FairQueue;
}

/**
 * Returns the services of passwords. Hashing uses at most two threads, and on several cores at most half of them, because the
 * same thread pool reads files and resolves host names.
 */
export const createPasswordServices = (): PasswordServices => ({
  passwordWork: createFairQueue({
    maxRunning: Math.max(1, Math.floor(Math.min(availableParallelism(), 4) / 2)),
    maxWaiting: 128,
    maxWaitingPerOwner: 32,
  }),
});

/** Returns what `hashPassword` does, for somebody who is not signed in: networks take turns. Throws as `passwordWork` does. */
export const hashInTurn = (
  { services }: { services: PasswordServices },
  password: string,
  address: string | null,
): Promise<string> => services.passwordWork.run(networkOf(address), () => hashPassword(password));

let dummyHash: Promise<string> | undefined;

/**
 * Returns whether the password matches the hash. Verifies a dummy hash for an account without a password, so that the
 * response time does not reveal which accounts exist.
 */
export async function isPassword(password: string, passwordHash: string | null): Promise<boolean> {
  if (password.length > MAX_LENGTH) return false;
  dummyHash ??= hash("a dummy password");
  const matches = await verify(passwordHash ?? (await dummyHash), password);
  return matches && passwordHash !== null;
}

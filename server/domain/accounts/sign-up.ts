import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { networkCounters, throttleAttempts } from "../rates/throttle";
import { createAccount } from "./account";
import { hashPassword } from "./password";

/** Creates an account with a password. Throws a 400 for invalid input or while sign-up is closed, and a 429. */
export async function signUp(
  hub: Hub,
  request: { email: string; password: string },
  address: string | null,
): Promise<void> {
  if (hub.env.SIGN_UP === "closed")
    throw new AppError("invalid_input", "Sign-up is closed. Ask the operator for an account.");
  // Every attempt counts, because it costs work and reveals whether an address has an account.
  await throttleAttempts(hub, networkCounters(hub, address), async () => null);
  const passwordHash = await hashPassword(request.password);
  await createAccount(hub, { email: request.email, passwordHash });
}

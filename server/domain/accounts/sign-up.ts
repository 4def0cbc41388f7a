import type { Hub } from "../../context";
import { AppError } from "../../errors";
import { networkCounters, throttleAttempts } from "../sessions/throttle";
import { createAccount } from "./create";
import { hashPassword } from "./password";

/** Makes an account with a password, where the operator lets anybody have one. 400 with the place of a fault; 429. */
export async function signUp(
  hub: Hub,
  request: { email: string; password: string },
  address: string | null,
): Promise<void> {
  if (hub.env.SIGN_UP === "closed") throw new AppError("invalid_input", "New accounts are made by the operator only.");
  // Each try counts: it is work, and tells whether an address has an account.
  await throttleAttempts(hub, networkCounters(hub, address), async () => null);
  const passwordHash = await hashPassword(request.password);
  await createAccount(hub, { email: request.email, passwordHash });
}

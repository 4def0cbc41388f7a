import { AppError } from "../../errors";
import { getPerson } from "../people";
import { hashInTurn } from "../passwords";
import { networkCounters, throttleAttempts } from "../rates";
import type { SignupHub } from "./hub";
import { isVerificationDue, openAccount } from "./open-account";
import { sendVerification } from "./verify-email";

/**
 * Creates an account with a password. Throws a 400 for invalid input or while sign-up is closed, and a 429 after too many
 * attempts.
 */
export async function signUp(
  hub: SignupHub,
  request: { email: string; password: string },
  address: string | null,
): Promise<void> {
  if (hub.env.SIGN_UP === "closed")
    throw new AppError("invalid_input", "Sign-up is closed. Ask the operator for an account.");
  // Every attempt counts, because it costs work and reveals whether an address has an account.
  await throttleAttempts(hub, networkCounters(hub, address), async () => null);
  const passwordHash = await hashInTurn(hub, request.password, address);
  await openAccount(hub, { email: request.email, passwordHash });
  if (!isVerificationDue(hub)) return;
  // The account exists, and a lost e-mail can be requested again in the console.
  void getPerson(hub, request.email)
    .then((person) => sendVerification(hub, person))
    .catch((error: unknown) => {
      hub.log.error({ err: error }, "verification e-mail not sent");
    });
}

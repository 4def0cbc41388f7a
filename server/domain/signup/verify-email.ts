import type { Person } from "../../context";
import { invalidInput } from "../../errors";
import { getMailer } from "../../lib/mail";
import { toEurosOrNull } from "../../lib/money";
import { isSignature, signText } from "../../lib/signature";
import { rateLimitedError, throttleAttempts } from "../rates";
import type { SignupHub } from "./hub";
import { verifyAddress } from "./open-account";

const LINK_TTL_S = 86_400;

type Recipient = Pick<Person, "id" | "email">;

/** Sends a link that verifies a person's address. Throws a 429 if one was sent within the last minute. */
export async function sendVerification(hub: SignupHub, person: Recipient): Promise<void> {
  const { allowed, waitMs } = await hub.services.rateLimits.verifications.byPerson.consume(person.id);
  if (!allowed) throw rateLimitedError(waitMs, "An e-mail was sent a moment ago. Wait a minute and try again.");
  const link = `${hub.env.BASE_URL}/overview?verify=${createToken(hub, person)}`;
  const text =
    `Someone, probably you, created an account with this address at ${hub.env.BASE_URL}.\n\n` +
    `Sign in and verify the address within a day:\n${link}\n\nIf this was not you, ignore this e-mail.\n`;
  await getMailer(hub.env).send?.({ to: person.email, subject: "Verify your e-mail address", text });
}

/**
 * Verifies a person's e-mail address with the token of a link, and credits the trial credit. Returns the amount credited
 * in EUR; null if none was due. The person must be signed in, so that the owner of an address who opens the link does not
 * verify it for a stranger who signed up with it. Throws a 400 for a token that is invalid, expired or of another person,
 * and a 429 after too many attempts.
 */
export async function verifyEmail(
  hub: SignupHub,
  person: Recipient,
  token: string,
): Promise<{ credited: number | null }> {
  const counters = [{ buckets: hub.services.rateLimits.verifications.attempts, key: String(person.id) }];
  const isValid = await throttleAttempts(hub, counters, () =>
    Promise.resolve(isTokenValid(hub, person, token) || null),
  );
  if (!isValid) throw invalidInput("token", "is not valid for this account or has expired; request a new e-mail");
  const amount = await hub.db.transaction((tx) => verifyAddress(tx, person.id, hub.now()));
  return { credited: toEurosOrNull(amount) };
}

function createToken(hub: SignupHub, person: Recipient): string {
  const expires = Math.floor(hub.now().getTime() / 1000) + LINK_TTL_S;
  return `${expires}.${signText(hub, PURPOSE, describeToken(person, String(expires))).toString("base64url")}`;
}

function isTokenValid(hub: SignupHub, person: Recipient, token: string): boolean {
  const [expires = "", ...rest] = token.split(".");
  if (!isSignature(hub, PURPOSE, describeToken(person, expires), rest.join("."))) return false;
  return hub.now().getTime() < Number(expires) * 1000;
}

const PURPOSE = "generation-hub e-mail verification";
const describeToken = ({ id, email }: Recipient, expires: string): string => `${id}\n${email}\n${expires}`;

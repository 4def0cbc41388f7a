import { z } from "zod";
import type { Hub } from "../../context";
import { invalidInput } from "../../errors";

const Email = z.email().max(254);

/** Makes an account with nothing on it, and answers its id. 400 when the address is not one, or is taken. */
export async function createAccount(hub: Hub, request: { email: string; member?: boolean }): Promise<number> {
  const email = request.email.trim().toLowerCase();
  if (!Email.safeParse(email).success) throw invalidInput("email", "must be an e-mail address");
  const [account] = await hub.db.query<{ id: number }>(
    "INSERT INTO account (email, member, created_at) VALUES ($1, $2, $3) ON CONFLICT (email) DO NOTHING RETURNING id",
    [email, request.member ?? false, hub.now()],
  );
  if (!account) throw invalidInput("email", "has an account already");
  return account.id;
}

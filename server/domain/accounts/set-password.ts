import { hash } from "@node-rs/argon2";
import type { Hub } from "../../context";
import { invalidInput } from "../../errors";
import { getAccount } from "./find";

const LEAST = 8;
// Argon2 reads all of it, so its length is work.
const MOST = 256;

/** Gives an account the password of its sign-in, and takes the old one away. 400 when it is too short or too long. */
export async function setPassword(hub: Hub, email: string, password: string): Promise<void> {
  checkPassword(password);
  const { id } = await getAccount(hub, email);
  const passwordHash = await hash(password);
  await hub.db.prisma.account.update({ where: { id }, data: { passwordHash } });
}

/** 400 unless the password may be used. */
export function checkPassword(password: string): void {
  if (password.length < LEAST || password.length > MOST) {
    throw invalidInput("password", `must have ${LEAST} to ${MOST} characters`);
  }
}

import type { AccountModel } from "../../../prisma/client/models";
import type { Hub } from "../../context";
import { AppError } from "../../errors";

/** Returns the account with this e-mail address, for the operator. Throws a 404 when there is none. */
export async function getAccount(hub: Hub, email: string): Promise<AccountModel> {
  const account = await hub.db.prisma.account.findUnique({ where: { email: email.trim().toLowerCase() } });
  if (!account) throw new AppError("resource_not_found", `There is no account with the address ${email}.`);
  return account;
}

/** Ends every session of an account, on every device, at once. */
export async function signOutEverywhere(hub: Hub, accountId: number): Promise<void> {
  await hub.db.prisma.account.updateMany({ where: { id: accountId }, data: { sessionVersion: { increment: 1 } } });
}

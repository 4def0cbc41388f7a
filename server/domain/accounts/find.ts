import type { AccountModel } from "../../../prisma/client/models";
import type { Hub } from "../../context";
import { AppError } from "../../errors";

/** The operator's look-up by e-mail address. 404 when there is none. */
export async function getAccount(hub: Hub, email: string): Promise<AccountModel> {
  const account = await hub.db.prisma.account.findUnique({ where: { email: email.trim().toLowerCase() } });
  if (!account) throw new AppError("resource_not_found", `There is no account of ${email}.`);
  return account;
}

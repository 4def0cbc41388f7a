import type { Hub } from "../../context";
import { getAccount } from "./find";

/** Shuts an account out, or in again: its keys stop at once, what it has paid for still runs. */
export async function suspendAccount(hub: Hub, email: string, suspended: boolean): Promise<void> {
  const { id } = await getAccount(hub, email);
  await hub.db.prisma.account.update({ where: { id }, data: { suspended } });
}

import type { Hub } from "../../context";
import { getAccount } from "./find";

/**
 * Suspends or reactivates an account. Its keys stop working at once; accepted generations still run. Its sessions end
 * permanently, so that none of them resumes when the account is reactivated.
 */
export async function suspendAccount(hub: Hub, email: string, suspended: boolean): Promise<void> {
  const { id } = await getAccount(hub, email);
  await hub.db.prisma.account.update({
    where: { id },
    data: { suspended, sessionVersion: { increment: 1 } },
    select: { id: true },
  });
}

import type { Hub } from "../../context";

/** The longest time, in days, that an account can keep replies of chats. */
export const MAX_REPLY_RETENTION_DAYS = 30;

/** Stores for how many days an account keeps replies of chats; null for not at all. */
export async function setReplyRetention(hub: Hub, accountId: number, days: number | null): Promise<void> {
  await hub.db.prisma.account.updateMany({ where: { id: accountId }, data: { replyRetentionDays: days } });
}

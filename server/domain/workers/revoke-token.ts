import type { Hub } from "../../context";
import { AppError } from "../../errors";

/** Revokes the active token with this name: its next request is rejected, and its leases expire. Throws a 404 when there is none. */
export async function revokeToken(hub: Hub, name: string): Promise<void> {
  const where = { name, revokedAt: null };
  const { count } = await hub.db.prisma.workerToken.updateMany({ where, data: { revokedAt: hub.now() } });
  if (count === 0) throw new AppError("resource_not_found", `There is no active worker token named ${name}.`);
}

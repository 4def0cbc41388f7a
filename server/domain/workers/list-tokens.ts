import type { Hub } from "../../context";

/** Returns all worker tokens without their hashes, newest first. */
export const listTokens = (hub: Hub) =>
  hub.db.prisma.workerToken.findMany({ orderBy: { id: "desc" }, omit: { hash: true } });

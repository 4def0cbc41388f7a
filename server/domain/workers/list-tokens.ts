import type { Hub } from "../../context";

/** Every worker's token, without its secret, newest first. */
export const listTokens = (hub: Hub) =>
  hub.db.prisma.workerToken.findMany({ orderBy: { id: "desc" }, omit: { hash: true } });

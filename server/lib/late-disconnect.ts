/**
 * How often a retry checks whether the client of the earlier request has left, which may be noticed late: for a second.
 * Counted in checks, because a stall of this process is not time in which it could notice a disconnect.
 */
export const MAX_DISCONNECT_CHECKS = 20;
export const DISCONNECT_CHECK_MS = 50;

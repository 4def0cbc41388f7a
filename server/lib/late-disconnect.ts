/**
 * How often, within a second, a retry checks whether the client of the earlier request has left, which may be noticed
 * late. Counted in checks rather than time, because a stalled process cannot notice a disconnect.
 */
export const MAX_DISCONNECT_CHECKS = 20;
export const DISCONNECT_CHECK_MS = 50;

import { Badge } from "../../ui/badge";
import type { Key } from "./types";

/** Shows why a key is rejected; nothing for an active one. */
export function KeyState({ apiKey: { revoked_at, expires_at, paused_at } }: { apiKey: Key }) {
  if (revoked_at) return <Badge tone="danger">Revoked</Badge>;
  if (expires_at && new Date(expires_at).getTime() <= Date.now()) return <Badge tone="danger">Expired</Badge>;
  return paused_at ? <Badge tone="warning">Paused</Badge> : null;
}

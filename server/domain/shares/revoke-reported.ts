import type { HubParts } from "../../context";
import { bytea, int4, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { invalidInput } from "../../errors";
import { operate, type Operator } from "../operator-actions";
import { hashToken } from "../passwords";

const LINK = /\/s\/([\w-]{43})(?:[/?#]|$)/;

interface Report {
  /** The URL of a share link, as the person who reports it sees it. */
  link: string;
  reason?: string;
}

/**
 * Ends a link that somebody has reported, recorded in the audit log. Returns the id of its account; null if the link does
 * not exist or has ended. Throws a 400 for a text that is not a share link.
 */
export async function revokeReportedLink(
  hub: Pick<HubParts, "db" | "now">,
  operator: Operator,
  { link, reason }: Report,
): Promise<number | null> {
  const token = LINK.exec(link)?.[1];
  if (!token) throw invalidInput("link", "must be the URL of a share link, such as https://hub.example.org/s/…");
  const action = { action: "share-link.revoke", target: { kind: "share-link", id: "" }, reason };
  return operate(hub, operator, action, async (tx) => {
    const [revoked] = await revokeByHash(tx, hashToken(token), hub.now());
    if (!revoked) return null;
    const { id, account_id: account, file_id: file } = revoked;
    return { before: { account, file }, after: null, target: { kind: "share-link", id }, result: account };
  });
}

const revokeByHash = statement({
  params: [bytea, timestamptz],
  row: { id: uuid, account_id: int4, file_id: uuid },
  text: `
    UPDATE share_link SET revoked_at = $2, expires_at = $2 WHERE hash = $1 AND expires_at > $2
    RETURNING id, account_id, file_id`,
});

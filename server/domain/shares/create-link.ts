import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Ctx } from "../../context";
import { bool, bytea, int4, nullable, timestamptz, uuid } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { isId, newId } from "../../lib/id";
import { lockActiveAccount } from "../accounts";
import { NEVER_EXPIRES } from "../files";
import { hashToken } from "../passwords";
import type { SharesHub } from "./hub";
import { hasContentSql } from "../files/sql";

/** Links of an account that work at the same time. */
const MAX_LINKS = 1_000;
const DAY_MS = 86_400_000;

/** The input that creates a link. */
export const ShareInput = z.object({
  file_id: z.string().max(200),
  /** For how many days it works. */
  days: z.literal([1, 7, 30]),
  shows_prompt: z.boolean(),
});

/**
 * Creates a link that shows an output to everybody, for some days or until the file expires. Returns its URL, whose token
 * is stored only as a hash. Throws a 404 for a file that is not an output of the account or has expired, and a 409 if the
 * operator has turned sharing off, the account is suspended or has 1,000 links.
 */
export async function createShareLink(
  { hub, account }: Ctx<SharesHub>,
  { file_id, days, shows_prompt }: z.output<typeof ShareInput>,
): Promise<{ url: string; expires_at: string }> {
  if (hub.env.SHARE_LINKS === "off") throw new AppError("invalid_state", "Sharing is turned off on this hub.");
  if (!isId(file_id)) throw notSharableError();
  const now = hub.now();
  const token = randomBytes(32).toString("base64url");
  const link = { id: newId(), hash: hashToken(token), latest: new Date(now.getTime() + days * DAY_MS) };
  const [outcome] = await hub.db.transaction(async (tx) => {
    await lockActiveAccount(tx, account.id);
    return insertLink(tx, link.id, account.id, file_id, link.hash, shows_prompt, now, link.latest);
  });
  if (!outcome?.is_sharable) throw notSharableError();
  if (!outcome.expires_at)
    throw new AppError("invalid_state", `An account can have ${MAX_LINKS} share links. Revoke one first.`);
  return { url: `${hub.env.BASE_URL}/s/${token}`, expires_at: outcome.expires_at.toISOString() };
}

const notSharableError = () =>
  new AppError("resource_not_found", "There is no such output, or it has expired. Only outputs can be shared.");

// Runs under the lock of the account, so that concurrent requests do not exceed the maximum together. The files of a trained
// character never expire; they are not for people.
const insertLink = statement({
  params: [uuid, int4, uuid, bytea, bool, timestamptz, timestamptz],
  row: { is_sharable: bool, expires_at: nullable(timestamptz) },
  text: `
    WITH shared AS (
      SELECT id, least(expires_at, $7) AS expires_at FROM file
      WHERE id = $3 AND account_id = $2 AND generation_id IS NOT NULL AND ${hasContentSql("file")}
        AND expires_at > $6 AND expires_at < '${NEVER_EXPIRES}'
    ),
    created AS (
      INSERT INTO share_link (id, account_id, file_id, hash, shows_prompt, created_at, expires_at)
      SELECT $1, $2, id, $4, $5, $6, expires_at FROM shared
      WHERE (SELECT count(*) FROM share_link WHERE account_id = $2 AND expires_at > $6) < ${MAX_LINKS}
      RETURNING expires_at
    )
    SELECT EXISTS (SELECT FROM shared) AS is_sharable, (SELECT expires_at FROM created) AS expires_at`,
});

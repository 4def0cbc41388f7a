import { bool, nullable, text, timestamptz, uuid, bytea } from "../../db/column-types";
import { statement } from "../../db/statement";
import { AppError } from "../../errors";
import { networkOf } from "../../lib/client-address";
import type { FileRow } from "../files";
import { fileColumns, fileSql, hasContentSql } from "../files/sql";
import { hashToken } from "../passwords";
import { rateLimitedError } from "../rates";
import type { SharesHub } from "./hub";

/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;
const MAX_PROMPT_LENGTH = 4_000;

/** What somebody with a link may see. */
export interface SharedOutput {
  linkId: string;
  file: FileRow;
  model: string;
  /** Null unless the link shows it, and once it was erased. */
  prompt: string | null;
  expiresAt: Date;
}

/**
 * Returns what a link shows. Throws a 404 `resource_not_found` that is the same for a link that never existed, has expired, was
 * revoked, whose account is suspended or whose content is gone, and a 429 for too many requests from a network or of a link.
 */
export async function openShareLink(hub: SharesHub, token: string, address: string | null): Promise<SharedOutput> {
  const { byNetwork, byLink } = hub.services.rateLimits.sharedOutputs;
  throwIfRateLimited(await byNetwork.consume(networkOf(address)));
  const isPossible = hub.env.SHARE_LINKS === "on" && TOKEN.test(token);
  const [row] = isPossible ? await selectLink(hub.db, hashToken(token), hub.now()) : [];
  if (!row) throw shareNotFoundError();
  throwIfRateLimited(await byLink.consume(row.link_id));
  const { link_id, model, prompt, is_cut, link_expires_at, ...file } = row;
  return {
    linkId: link_id,
    file,
    model,
    prompt: prompt && is_cut ? `${prompt}…` : prompt,
    expiresAt: link_expires_at,
  };
}

/** Returns the error of a link that does not work, whatever the reason. */
export const shareNotFoundError = (): AppError =>
  new AppError("resource_not_found", "This link does not exist or has ended.");

function throwIfRateLimited({ allowed, waitMs }: { allowed: boolean; waitMs: number }): void {
  if (!allowed) throw rateLimitedError(waitMs, "Too many requests for shared files. Wait a moment and try again.");
}

const promptSql =
  "CASE WHEN s.shows_prompt AND jsonb_typeof(g.input -> 'prompt') = 'string' THEN g.input ->> 'prompt' END";

const selectLink = statement({
  params: [bytea, timestamptz],
  row: {
    ...fileColumns,
    link_id: uuid,
    link_expires_at: timestamptz,
    model: text,
    prompt: nullable(text),
    is_cut: nullable(bool),
  },
  text: `
    SELECT ${fileSql}, s.id AS link_id, s.expires_at AS link_expires_at, g.model,
           left(${promptSql}, ${MAX_PROMPT_LENGTH}) AS prompt, length(${promptSql}) > ${MAX_PROMPT_LENGTH} AS is_cut
    FROM share_link s
    JOIN account a ON a.id = s.account_id
    JOIN file f ON f.id = s.file_id AND f.account_id = s.account_id
    JOIN generation g ON g.id = f.generation_id
    WHERE s.hash = $1 AND s.expires_at > $2 AND NOT a.suspended AND a.closed_at IS NULL
      AND ${hasContentSql("f")} AND f.expires_at > $2`,
});

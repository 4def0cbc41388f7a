import type { Ctx } from "../../context";
import { type OutputRow, outputsSql } from "../generations/generation";
import { fileUrl, serializeOutput } from "../files/serialize-file";
import { type Character, characterSql } from "./character";
import { serializeCharacter } from "./serialize-character";

interface Picture {
  /** As it was given. */
  text: string;
  /** Of the account's file that it names by address or hash; null for any other, and for one that is not there any more. */
  id: string | null;
  media_type: string | null;
  size: number | null;
  expires_at: string | null;
}

/** A character with what there is to look at: its first pictures, and what its newest training has made. */
export interface DisplayedCharacter extends Character {
  pictures: Picture[];
  outputs: OutputRow[];
}

const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";
const picture = `'text', given.text, 'id', f.id, 'media_type', f.media_type, 'size', f.size, 'expires_at', f.expires_at`;

// Each half has an index of its own; of several files with one content the one that lives longest.
const file = `
  SELECT found.* FROM (
    SELECT * FROM file WHERE id = lower(substring(given.text FROM '(?i)/api/v1/hub/files/(${uuid})$'))::uuid
    UNION ALL
    SELECT * FROM file
    WHERE account_id = c.account_id AND sha256 = decode(substring(given.text FROM '^sha256:([0-9a-f]{64})$'), 'hex')
      AND stored_at IS NOT NULL AND removed_at IS NULL
  ) found
  WHERE found.account_id = c.account_id AND found.stored_at IS NOT NULL AND found.removed_at IS NULL
  ORDER BY found.expires_at DESC LIMIT 1`;

/** SQL: columns of a ShownCharacter, with so many pictures at most. */
export const displayedCharacterSql = (most: number): string => `${characterSql},
  (SELECT coalesce(json_agg(json_build_object(${picture}) ORDER BY given.n), '[]')
   FROM unnest(c.images[1:${most}]) WITH ORDINALITY AS given (text, n)
   LEFT JOIN LATERAL (${file}) f ON true) AS pictures,
  ${outputsSql("file", "f.generation_id = newest.id AND newest.status = 'succeeded' AND f.stored_at IS NOT NULL")}`;

/** A character as the console shows it. */
export const serializeDisplayed = (ctx: Ctx, character: DisplayedCharacter) => ({
  ...serializeCharacter(ctx, character),
  pictures: character.pictures.map(({ text, id, ...file }) => ({
    text,
    file:
      id === null
        ? null
        : {
            url: fileUrl(ctx, id),
            media_type: file.media_type!,
            size: file.size!,
            expires_at: new Date(file.expires_at!).toISOString(),
          },
  })),
  outputs: character.outputs.map((output) => serializeOutput(ctx, output)),
});

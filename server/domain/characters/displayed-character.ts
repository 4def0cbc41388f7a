import type { Ctx } from "../../context";
import { int4, int8Number, json, nullable } from "../../db/column-types";
import { type RowOf, statement } from "../../db/statement";
import type { OutputRow } from "../generations/row";
import { outputsSql } from "../generations/row/sql";
import { fileUrl, serializeOutput } from "../files";
import {
  characterColumns,
  characterSql,
  getCharacterBy,
  getCharacterSql,
  listCharactersBy,
  listCharactersSql,
  serializeCharacter,
} from "./character";
import { UUID_PATTERN } from "../../lib/id";
import type { CharactersHub } from "./hub";
import { hasContentSql } from "../files/sql";

interface Picture {
  /** The reference as the customer wrote it. */
  text: string;
  /** Id of the account's file; null for an external URL and for a file that no longer exists. */
  id: string | null;
  name: string | null;
  media_type: string | null;
  size: number | null;
  expires_at: string | null;
}

const MAX_PICTURES = 100;
const MAX_LISTED_PICTURES = 4;

const displayedColumns = { ...characterColumns, pictures: json<Picture[]>(), outputs: json<OutputRow[]>() };

/** A character with its first pictures and the outputs of its newest training. */
type DisplayedCharacter = RowOf<typeof displayedColumns>;

/** Returns the character with up to 100 pictures. Throws 404 like `getCharacter`. */
export const getDisplayedCharacter = (ctx: Ctx<CharactersHub>, id: string): Promise<DisplayedCharacter> =>
  getCharacterBy(selectDisplayed, ctx, id);

/** Returns a page of the account's characters, newest first, each with up to 4 pictures. */
export const listDisplayedCharacters = (ctx: Ctx<CharactersHub>, page: { limit: number; cursor?: string }) =>
  listCharactersBy(selectDisplayedPage, ctx, page);

const pictureSql = `'text', reference.text, 'id', f.id, 'name', f.name, 'media_type', f.media_type, 'size', f.size, 'expires_at', f.expires_at`;

// A UNION, because the id and the hash have separate indexes. Of several files with one hash it finds the one that expires last.
const findFileSql = `
  SELECT found.* FROM (
    SELECT * FROM file WHERE id = lower(substring(reference.text FROM '(?i)/api/v1/hub/files/(${UUID_PATTERN})$'))::uuid
    UNION ALL
    SELECT * FROM file
    WHERE account_id = c.account_id AND sha256 = decode(substring(reference.text FROM '^sha256:([0-9a-f]{64})$'), 'hex')
      AND ${hasContentSql("file")}
  ) found
  WHERE found.account_id = c.account_id AND ${hasContentSql("found")}
  ORDER BY found.expires_at DESC LIMIT 1`;

/** Returns SQL for the columns of a DisplayedCharacter with at most `maxPictures` pictures. */
const displayedCharacterSql = (maxPictures: number): string => `${characterSql},
  (SELECT coalesce(json_agg(json_build_object(${pictureSql}) ORDER BY reference.n), '[]')
   FROM unnest(c.images[1:${maxPictures}]) WITH ORDINALITY AS reference (text, n)
   LEFT JOIN LATERAL (${findFileSql}) f ON true) AS pictures,
  ${outputsSql("file", "f.generation_id = newest.id AND newest.status = 'succeeded' AND f.stored_at IS NOT NULL")}`;

const selectDisplayed = statement({
  params: [int4, int4],
  row: displayedColumns,
  text: getCharacterSql(displayedCharacterSql(MAX_PICTURES)),
});

const selectDisplayedPage = statement({
  params: [int4, nullable(int4), int8Number],
  row: displayedColumns,
  text: listCharactersSql(displayedCharacterSql(MAX_LISTED_PICTURES)),
});

/** Returns a character as the console shows it. */
export const serializeDisplayed = (ctx: Ctx<CharactersHub>, character: DisplayedCharacter) => ({
  ...serializeCharacter(ctx, character),
  pictures: character.pictures.map(({ text, id, ...file }) => ({
    text,
    file:
      id === null
        ? null
        : {
            url: fileUrl(ctx.hub, id),
            name: file.name,
            media_type: file.media_type!,
            size: file.size!,
            expires_at: new Date(file.expires_at!).toISOString(),
          },
  })),
  outputs: character.outputs.map((output) => serializeOutput(ctx.hub, output)),
});

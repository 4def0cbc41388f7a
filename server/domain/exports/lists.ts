import type { Ctx } from "../../context";
import { listCharacters, serializeCharacter } from "../characters";
import { type FileRow, serializeListedFile } from "../files";
import { listEntries, serializeEntry } from "../ledger";
import { listMembers } from "../members";
import { serializePayment } from "../payments";
import { nameFile } from "./file-path";
import type { ExportsHub } from "./hub";
import type { Task } from "./lease";
import type { Step } from "./position";
import { readGenerations } from "./read-generations";
import { selectEndpoints, selectFiles, selectKeys, selectMissing, selectPayments } from "./read-rows";

type ExportCtx = Ctx<ExportsHub>;

/** A list in the archive, as JSON Lines with whole records and as CSV with their short values. */
export interface List {
  /** What it is, for the README. */
  title: string;
  /** The members of a record that the CSV has. */
  columns: readonly string[];
  /**
   * Returns the records after a position, and the position of the last one as `after`; null if none follows. Pages are bounded.
   */
  read: (
    ctx: ExportCtx,
    task: Task,
    after: string | null,
  ) => Promise<{ records: Record<string, unknown>[]; after: string | null }>;
}

export type ListStep = Exclude<Step, "contents" | "readme" | "directory">;

const PAGE = 500;

/** Returns the `read` of a list whose statement selects pages before an id, newest first. */
const readById =
  <Row extends { id: string }>(
    select: (db: ExportCtx["hub"]["db"], accountId: number, before: string | null, limit: number) => Promise<Row[]>,
    serialize: (ctx: ExportCtx, row: Row) => object,
  ): List["read"] =>
  async (ctx, _task, after) => {
    const rows = await select(ctx.hub.db, ctx.account.id, after, PAGE);
    const records = rows.map((row) => serialize(ctx, row) as Record<string, unknown>);
    return { records, after: rows.length < PAGE ? null : rows.at(-1)!.id };
  };

const serializeFile = ({ hub }: ExportCtx, file: FileRow) => ({
  ...serializeListedFile(hub, file),
  path: nameFile(file),
});

/** All lists of an archive. */
export const lists: Record<ListStep, List> = {
  generations: {
    title: "every generation and chat: input, outputs, status, cost; `choices` are replies that you chose to keep",
    columns: "id model status created_at started_at completed_at estimated_cost billed_cost currency end_user metadata".split(" "), // prettier-ignore
    async read(ctx, task, after) {
      const rows = await readGenerations(ctx, after, task.id);
      return { records: rows.map(({ record }) => record), after: rows.at(-1)?.position ?? null };
    },
  },
  statement: {
    title: "the account statement: every credit and charge with the balance after it, in EUR",
    columns: "id kind amount balance_after created_at generation_id model reference note".split(" "),
    async read(ctx, _task, after) {
      const { data, next_cursor } = await listEntries(ctx, { limit: PAGE, cursor: after ?? undefined });
      return { records: data.map(serializeEntry), after: next_cursor };
    },
  },
  payments: {
    title: "payments, with the address of each invoice (`invoice_url`)",
    columns: "id kind state amount tax currency provider note created_at settled_at invoice_url".split(" "),
    read: readById(selectPayments, (_ctx, payment) => serializePayment(payment)),
  },
  keys: {
    title: "API keys and keys of connected apps, without their secrets; amounts in EUR",
    columns: "id name prefix scope created_at last_used_at expires_at revoked_at spend_limit spend_limit_reset".split(" "), // prettier-ignore
    read: readById(selectKeys, (_ctx, key) => key),
  },
  members: {
    title: "people who may act for the account, with their roles",
    columns: ["email", "role", "created_at", "last_seen_at"],
    read: async (ctx) => ({ records: await listMembers(ctx), after: null }),
  },
  webhooks: {
    title: "webhook endpoints, without their secrets",
    columns: ["id", "url", "events", "created_at", "revoked_at"],
    read: readById(selectEndpoints, (_ctx, endpoint) => endpoint),
  },
  characters: {
    title: "characters with their training parameters",
    columns: "id name status base_model trigger_word created_at updated_at billed_cost".split(" "),
    async read(ctx, _task, after) {
      const { data, next_cursor } = await listCharacters(ctx, { limit: PAGE, cursor: after ?? undefined });
      return { records: data.map((character) => serializeCharacter(ctx, character)), after: next_cursor };
    },
  },
  files: {
    title: "uploads and outputs; `path` is where each is in this archive",
    columns: "id kind name path media_type size sha256 generation_id created_at expires_at".split(" "),
    read: readById(selectFiles, serializeFile),
  },
  "missing-files": {
    title: "files of this list whose content could not be read, and why",
    columns: ["id", "path", "reason"],
    async read({ hub }, task, after) {
      const rows = await selectMissing(hub.db, task.id, Number(after ?? -1));
      const records = rows.flatMap(({ missing }) => missing.map((file) => ({ ...file })));
      return { records, after: rows.length === 0 ? null : String(rows.at(-1)!.n) };
    },
  },
};

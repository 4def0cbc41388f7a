import { type Ctx, type Labels } from "../../context";
import { invalidInput } from "../../errors";
import { decodeHeader } from "../../lib/decode-header";
import { listMetadataIssues, MAX_PAIRS, mergePairs, toEndUser } from "./metadata";
import { parsePairs } from "./pairs";

const METADATA = "X-Hub-Metadata";
const END_USER = "X-Hub-End-User";
/** The header in which Open WebUI names its user. */
const OPEN_WEBUI_USER = "X-OpenWebUI-User-Id";

/**
 * Returns the labels in the headers of a request, for programs that cannot change their bodies; undefined without such
 * headers. What does not fit is left out.
 */
export function readLabelHeaders(headers: Headers): Labels | undefined {
  const metadata = headers.get(METADATA);
  const endUser = headers.get(END_USER) ?? headers.get(OPEN_WEBUI_USER);
  if (metadata === null && endUser === null) return undefined;
  return {
    metadata: metadata === null ? null : mergePairs(parsePairs(decodeHeader(metadata))),
    endUser: endUser === null ? null : toEndUser(decodeHeader(endUser)),
  };
}

/**
 * Throws 400 for labels in the hub's own headers that `readLabelHeaders` would leave out, and if the pairs of the key, the
 * body and the headers are together too many.
 */
export function checkLabels({ actor }: Pick<Ctx<unknown>, "actor">, headers: Headers, body: object = {}): void {
  const header = headers.get(METADATA);
  const sent = header === null ? {} : parsePairs(decodeHeader(header));
  for (const { path, message } of listMetadataIssues(sent)) throw invalidInput([METADATA, ...path].join("."), message);
  const endUser = headers.get(END_USER);
  if (endUser !== null && toEndUser(decodeHeader(endUser)) === null)
    throw invalidInput(END_USER, "must have 1 to 255 characters");
  const fixed = actor.kind === "key" ? (actor.metadata ?? {}) : {};
  const keys = new Set([fixed, body, sent].flatMap((pairs) => Object.keys(pairs)));
  if (keys.size > MAX_PAIRS)
    throw invalidInput(
      "metadata",
      `must have at most ${MAX_PAIRS} pairs, those of the API key and of headers included`,
    );
}

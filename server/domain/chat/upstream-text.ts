import type { SentJson } from "../../lib/json/sent-json";

type Json = Record<string, unknown>;

/**
 * Returns the text of the members that upstream gets. What has come from the customer is in their own words, with
 * integers of any size; `names` has the customer's names of members that the route renames. `replaced` are values that
 * have a text of their own.
 */
export function writeUpstreamText(
  members: Json,
  sent: SentJson,
  names: Record<string, string>,
  replaced: Map<unknown, Buffer[]>,
): Uint8Array {
  const pieces: Buffer[] = [];
  let pending = "{";
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    pending += `${pending === "{" && pieces.length === 0 ? "" : ","}${JSON.stringify(name)}:`;
    const text = replaced.get(value) ?? findText(sent, name, value) ?? findText(sent, names[name], value);
    if (!text) {
      pending += JSON.stringify(value);
      continue;
    }
    pieces.push(Buffer.from(pending), ...text);
    pending = "";
  }
  return Buffer.concat([...pieces, Buffer.from(`${pending}}`)]);
}

/** Returns the text of a member if that still has the value that was sent. */
function findText({ text, value, members }: SentJson, name: string | undefined, current: unknown): Buffer[] | null {
  const span = name === undefined ? undefined : members.get(name);
  return span && Object.is(value[name!], current) ? [text.subarray(span.start, span.end)] : null;
}

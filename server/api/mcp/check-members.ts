import { invalidInput } from "../../errors";

/** Maximum members of a part of a message: the library copies each several times. */
const MAX_MEMBERS = 500;
const MAX_DEPTH = 3;

/** Throws 400 for a message with too many members in one part. The tool checks the content of its arguments. */
export function checkMembers(part: unknown, place = "body", depth = 0): void {
  if (typeof part !== "object" || part === null) return;
  const members = Object.entries(part);
  if (members.length > MAX_MEMBERS) throw invalidInput(place, `must have at most ${MAX_MEMBERS} members`);
  if (depth === MAX_DEPTH || place === "params.arguments") return;
  for (const [name, member] of members) checkMembers(member, depth === 0 ? name : `${place}.${name}`, depth + 1);
}

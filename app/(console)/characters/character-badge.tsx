import { Badge, type Tone } from "../../ui/badge";
import type { CharacterSummary } from "./types";

const states = {
  draft: ["neutral", "Draft"],
  awaiting_supply: ["warning", "Awaiting files"],
  queued: ["neutral", "Queued"],
  running: ["accent", "Training"],
  ready: ["good", "Ready"],
  failed: ["danger", "Failed"],
  canceled: ["neutral", "Canceled"],
} as const satisfies Record<string, readonly [Tone, string]>;

/** Shows the status of a character. */
export function CharacterBadge({ status }: { status: CharacterSummary["status"] }) {
  const [tone, word] = states[status];
  return <Badge tone={tone}>{word}</Badge>;
}

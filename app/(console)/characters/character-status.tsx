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

/** Returns whether a training of the character is in progress. */
export const isBusy = ({ status }: { status: string }): boolean =>
  ["awaiting_supply", "queued", "running"].includes(status);

const ACTIVE_POLL_INTERVAL_MS = 1_500;

/** Returns the poll interval in ms while a training is in progress, else false. */
export const pollWhileBusy = (characters: { status: string }[]): number | false =>
  characters.some(isBusy) && ACTIVE_POLL_INTERVAL_MS;

import { Badge, type Tone } from "./badge";

const states = {
  queued: ["neutral", "Queued"],
  awaiting_supply: ["warning", "Awaiting files"],
  running: ["accent", "Running"],
  succeeded: ["good", "Succeeded"],
  failed: ["danger", "Failed"],
  canceled: ["neutral", "Canceled"],
} as const satisfies Record<string, readonly [Tone, string]>;

export type Status = keyof typeof states;

/** Every status with its label, for filters. */
export const statusWords = Object.entries(states).map(([status, [, word]]) => ({ status: status as Status, word }));

/** Renders the status of a generation. */
export function StatusBadge({ status }: { status: Status }) {
  const [tone, word] = states[status];
  return <Badge tone={tone}>{word}</Badge>;
}

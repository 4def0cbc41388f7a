import { Badge, type Tone } from "./badge";

const states = {
  queued: ["neutral", "Queued"],
  awaiting_supply: ["warning", "Awaiting files"],
  running: ["accent", "Running"],
  succeeded: ["good", "Succeeded"],
  failed: ["danger", "Failed"],
  canceled: ["neutral", "Canceled"],
} as const satisfies Record<string, readonly [Tone, string]>;

/** The state of a generation. */
export function StatusBadge({ status }: { status: keyof typeof states }) {
  const [tone, word] = states[status];
  return <Badge tone={tone}>{word}</Badge>;
}

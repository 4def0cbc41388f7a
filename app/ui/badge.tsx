import type { ReactNode } from "react";

const tones = {
  neutral: "bg-sunken text-soft",
  accent: "bg-wash text-accent",
  good: "bg-good-wash text-good",
  warning: "bg-warning-wash text-warning",
  danger: "bg-danger-wash text-danger",
};
export type Tone = keyof typeof tones;

/** Renders a status as a short label. The text carries the meaning; the colour only repeats it. */
export const Badge = ({ tone = "neutral", children }: { tone?: Tone; children: ReactNode }) => (
  <span
    className={`inline-flex items-center rounded-full px-2 py-0.5 text-xs font-medium whitespace-nowrap ${tones[tone]}`}
  >
    {children}
  </span>
);

const states = {
  queued: ["neutral", "Queued"],
  awaiting_supply: ["warning", "Awaiting files"],
  running: ["accent", "Running"],
  succeeded: ["good", "Succeeded"],
  failed: ["danger", "Failed"],
  canceled: ["neutral", "Canceled"],
} as const satisfies Record<string, readonly [Tone, string]>;

type Status = keyof typeof states;

/** Every status with its label, for filters. */
export const statusWords = Object.entries(states).map(([status, [, word]]) => ({ status: status as Status, word }));

/** Renders the status of a generation. */
export function StatusBadge({ status }: { status: Status }) {
  const [tone, word] = states[status];
  return <Badge tone={tone}>{word}</Badge>;
}

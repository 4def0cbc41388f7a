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

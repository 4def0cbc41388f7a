interface Props {
  /** From 0 to 1, or null while unknown. */
  share: number | null;
  label: string;
  /** What screen readers say instead of a number while the share is unknown. */
  unknown?: string;
  /** What to draw while the share is unknown: a guess, from 0 to 1, which is hidden from screen readers. */
  estimate?: number | null;
}

/** Renders a progress bar. */
export function ProgressBar({ share, label, unknown = "In progress", estimate = null }: Props) {
  const percent = share === null ? undefined : Math.round(share * 100);
  const shown = percent ?? (estimate === null ? undefined : Math.round(estimate * 100));
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuetext={percent === undefined ? unknown : undefined}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={`h-full rounded-full bg-accent transition-[width] ${shown === undefined ? "w-full animate-pulse opacity-40" : ""}`}
        style={shown === undefined ? undefined : { width: `${shown}%` }}
      />
    </div>
  );
}

const WARNING_SHARE = 0.8;

/** Renders a meter of how much of a limit is used; `share` is from 0 to 1. */
export function Meter({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.min(share, 1) * 100);
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div
        className={`h-full rounded-full ${share >= WARNING_SHARE ? "bg-danger" : "bg-accent"}`}
        style={{ width: `${percent}%` }}
      />
    </div>
  );
}

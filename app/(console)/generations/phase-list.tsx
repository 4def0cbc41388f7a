import { Duration } from "../../ui/values";
import { type Phase, sumPhases } from "./phases";

const colors: Record<Phase["name"], string> = {
  wait: "bg-strong-line",
  retries: "bg-warning",
  first_token: "bg-accent/50",
  provider: "bg-accent",
  settlement: "bg-good",
};

/** Draws phases as parts of one bar. The durations are in the text beside it. */
export const PhaseBar = ({ phases }: { phases: Phase[] }) => (
  <div aria-hidden className="flex h-1.5 gap-px overflow-hidden rounded-full bg-line">
    {phases.map(({ name, ms }) => (
      <span key={name} className={`min-w-px ${colors[name]}`} style={{ flexGrow: ms, flexBasis: 0 }} />
    ))}
  </div>
);

/** Lists phases with their durations, and their sum if the generation has ended. */
export const PhaseList = ({ phases, hasEnded }: { phases: Phase[]; hasEnded: boolean }) => (
  <div role="group" aria-label="Durations" className="grid gap-2">
    <PhaseBar phases={phases} />
    <dl className="grid gap-1 text-xs text-soft">
      {phases.map(({ name, word, ms }) => (
        <div key={name} className="flex items-center justify-between gap-3">
          <dt className="flex items-center gap-2">
            <span aria-hidden className={`size-2 rounded-full ${colors[name]}`} />
            {word}
          </dt>
          <dd className="tabular-nums">
            <Duration ms={ms} />
          </dd>
        </div>
      ))}
      {hasEnded && (
        <div className="flex justify-between gap-3 border-t border-line pt-1 font-medium text-ink">
          <dt>Total</dt>
          <dd className="tabular-nums">
            <Duration ms={sumPhases(phases)} />
          </dd>
        </div>
      )}
    </dl>
  </div>
);

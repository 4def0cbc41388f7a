import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";
import { Card } from "../../../ui/card";
import { TimeAgo, TimeUntil } from "../../../ui/values";
import { countAttempts } from "../describe-attempt";
import { PhaseList } from "../phase-list";
import { listPhases } from "../phases";
import type { GenerationDetail } from "../types";

interface Step {
  word: string;
  at: string | null;
  about?: ReactNode;
  isFailure?: boolean;
}

const ends = { succeeded: "Succeeded", failed: "Failed", canceled: "Canceled" };

/** Shows the status history of a generation, and how long its phases took. */
export function Timeline({ generation }: { generation: GenerationDetail }) {
  const tried = generation.attempts.filter(({ outcome }) => outcome !== "skipped");
  const phases = listPhases({ ...generation, attempts: tried });
  return (
    <Card title="Timeline">
      <ol className="grid gap-4 border-l border-line pl-4 text-sm">
        {stepsOf(generation).map(({ word, at, about, isFailure }) => (
          <li key={word} className="relative grid gap-0.5">
            <span
              aria-hidden
              className={`absolute top-1.5 -left-[1.3rem] size-2 rounded-full ${isFailure ? "bg-danger" : at ? "bg-accent" : "border border-strong-line bg-raised"}`}
            />
            <span className="flex justify-between gap-3">
              <span className={at ? "font-medium" : "text-soft"}>{word}</span>
              {at && (
                <span className="text-soft">
                  <TimeAgo at={at} />
                </span>
              )}
            </span>
            {about && <span className="text-xs text-soft">{about}</span>}
          </li>
        ))}
      </ol>
      {phases.length > 0 && (
        <div className="mt-4 border-t border-line pt-4">
          <PhaseList phases={phases} hasEnded={generation.completed_at !== null} />
        </div>
      )}
      <RunLink url={generation.run_url} />
    </Card>
  );
}

function stepsOf({ status, created_at, started_at, completed_at, deadline_at, attempts }: GenerationDetail): Step[] {
  const steps: Step[] = [{ word: "Accepted", at: created_at }];
  if (status === "awaiting_supply") {
    const about = deadline_at && (
      <>
        expires <TimeUntil at={deadline_at} />
      </>
    );
    return [...steps, { word: "Waiting for files", at: null, about }, { word: "Run", at: null }];
  }
  if (status === "queued") {
    // A lost worker returns its job to the queue.
    const word = started_at ? "Queued again" : "Waiting in the queue";
    const count = countAttempts(attempts);
    if (started_at) steps.push({ word: "Started", at: started_at });
    return [
      ...steps,
      { word, at: null, about: started_at && `after ${count === 1 ? "1 attempt" : `${count} attempts`}` },
    ];
  }
  if (started_at) steps.push({ word: "Started", at: started_at });
  if (status === "running") return [...steps, { word: "Finish", at: null }];
  return [...steps, { word: ends[status], at: completed_at, isFailure: status === "failed" }];
}

/** Links to the generation's run in Inngest's dashboard when the settings configure one. */
export function RunLink({ url }: { url: string | null }) {
  if (!url) return null;
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      className="mt-4 inline-flex min-h-8 items-center gap-1.5 text-sm text-soft hover:text-ink pointer-coarse:min-h-11"
    >
      View run in Inngest
      <ExternalLink size={14} aria-hidden />
    </a>
  );
}

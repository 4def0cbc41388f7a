import { useFormats } from "../../ui/formats-context";
import { ProgressBar } from "../../ui/progress-bar";
import { describeProgress } from "./describe-progress";
import type { GenerationDetail } from "./types";

/** Shows how far an unfinished generation is, as a bar and a sentence. */
export function GenerationProgress({ generation }: { generation: GenerationDetail }) {
  const sentence = describeProgress(generation, useFormats());
  if (sentence === null) return null;
  return (
    <div className="grid gap-2">
      <ProgressBar share={generation.progress} label="Progress" />
      <p className="text-sm text-soft">{sentence}</p>
    </div>
  );
}

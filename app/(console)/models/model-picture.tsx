"use client";

import { useState } from "react";
import { DeferredImage, FileIcon } from "../../ui/file-thumbnail";
import { samplePath } from "./sample-path";
import type { ModelSummary } from "./types";

interface Props {
  model: Pick<ModelSummary, "samples" | "output_modalities" | "is_llm">;
  /** The size of the icon of a model without samples. */
  iconSize: number;
  /** Whether it is among the first pictures of a page that shows pictures. */
  isFirst?: boolean;
}

/** Fills its container with a model's first sample, or with an icon of what the model makes. */
export function ModelPicture({
  model: { samples, output_modalities: makes, is_llm: isLlm },
  iconSize,
  isFirst,
}: Props) {
  const [hasFailed, setFailed] = useState(false);
  const [sample] = samples;
  if (sample !== undefined && !hasFailed)
    return <DeferredImage src={samplePath(sample)} isFirst={isFirst} onError={() => setFailed(true)} />;
  return (
    <span className="grid size-full place-items-center bg-wash text-accent">
      <FileIcon mediaType={isLlm ? "text/plain" : `${makes[0] ?? "text"}/*`} size={iconSize} />
    </span>
  );
}

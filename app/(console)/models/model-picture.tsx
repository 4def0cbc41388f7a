"use client";

import { useState } from "react";
import { FileIcon } from "../../ui/file-thumbnail";
import { samplePath } from "./sample-path";
import type { ModelSummary } from "./types";

interface Props {
  model: Pick<ModelSummary, "samples" | "output_modalities" | "is_llm">;
  /** The size of the icon of a model without samples. */
  iconSize: number;
}

/** Fills its container with a model's first sample, or with an icon of what the model makes. */
export function ModelPicture({ model: { samples, output_modalities: makes, is_llm: isLlm }, iconSize }: Props) {
  const [hasFailed, setFailed] = useState(false);
  const [sample] = samples;
  if (sample !== undefined && !hasFailed) {
    return (
      <img
        src={samplePath(sample)}
        alt=""
        width={640}
        height={480}
        loading="lazy"
        decoding="async"
        className="size-full object-cover"
        onError={() => setFailed(true)}
      />
    );
  }
  return (
    <span className="grid size-full place-items-center bg-wash text-accent">
      <FileIcon mediaType={isLlm ? "text/plain" : `${makes[0] ?? "text"}/*`} size={iconSize} />
    </span>
  );
}

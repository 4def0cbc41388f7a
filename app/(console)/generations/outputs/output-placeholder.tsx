import type { GenerationDetail } from "../types";
import { RunningPreview } from "./running-preview";

/** Reserves the space of an output that has not arrived yet, and shows a preview in it if there is one. */
export function OutputPlaceholder({ generation: { expected, preview_url } }: { generation: GenerationDetail }) {
  const [modality = ""] = expected.modalities;
  const usualRatio = { image: 1, video: 16 / 9 }[modality];
  if (preview_url !== null) return <RunningPreview url={preview_url} />;
  return (
    <p
      style={usualRatio === undefined ? undefined : { aspectRatio: String(expected.ratio ?? usualRatio) }}
      className="grid max-h-[36rem] min-h-24 w-full place-items-center rounded-lg bg-sunken p-4 text-center text-sm text-soft"
    >
      The output will appear here.
    </p>
  );
}

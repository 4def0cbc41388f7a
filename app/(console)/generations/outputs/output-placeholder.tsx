import type { GenerationDetail } from "../types";

/** Reserves the space of an output that has not arrived yet. */
export function OutputPlaceholder({ generation: { expected } }: { generation: GenerationDetail }) {
  const [modality = ""] = expected.modalities;
  const usualRatio = { image: 1, video: 16 / 9 }[modality];
  return (
    <p
      style={usualRatio === undefined ? undefined : { aspectRatio: String(expected.ratio ?? usualRatio) }}
      className="grid max-h-[36rem] min-h-24 w-full place-items-center rounded-lg bg-sunken p-4 text-center text-sm text-soft"
    >
      The output will appear here.
    </p>
  );
}

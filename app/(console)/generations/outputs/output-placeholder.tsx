import { ownPath } from "../../../ui/own-path";
import type { GenerationDetail } from "../types";

/** Reserves the space of an output that has not arrived yet, and shows a preview in it if there is one. */
export function OutputPlaceholder({ generation: { expected, preview_url } }: { generation: GenerationDetail }) {
  const [modality = ""] = expected.modalities;
  const usualRatio = { image: 1, video: 16 / 9 }[modality];
  if (preview_url !== null)
    return (
      <figure className="grid gap-2 rounded-lg bg-sunken p-4 text-center text-sm text-soft">
        <img src={ownPath(preview_url)} alt="" className="mx-auto max-h-80 max-w-full rounded-md" />
        <figcaption>Preview of the work so far.</figcaption>
      </figure>
    );
  return (
    <p
      style={usualRatio === undefined ? undefined : { aspectRatio: String(expected.ratio ?? usualRatio) }}
      className="grid max-h-[36rem] min-h-24 w-full place-items-center rounded-lg bg-sunken p-4 text-center text-sm text-soft"
    >
      The output will appear here.
    </p>
  );
}

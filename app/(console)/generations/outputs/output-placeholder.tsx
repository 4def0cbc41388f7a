import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { Bytes } from "../../../ui/values";
import type { GenerationDetail } from "../types";
import { columnsFor } from "./columns-for";
import { RunningPreview } from "./running-preview";

type StoredOutput = GenerationDetail["stored_outputs"][number];

/** Reserves the space of outputs that have not arrived yet: shows those that are stored, and a preview of the work if there is one. */
export function OutputPlaceholder({ generation }: { generation: GenerationDetail }) {
  const { expected, preview_url, stored_outputs: stored } = generation;
  if (stored.length === 0 && (expected.count === 1 || preview_url !== null))
    return preview_url === null ? (
      <Box generation={generation}>The output will appear here.</Box>
    ) : (
      <RunningPreview url={preview_url} />
    );
  const indexes = Array.from(
    { length: Math.max(expected.count, ...stored.map(({ index }) => index + 1)) },
    (_, n) => n,
  );
  return (
    <div className="@container grid gap-3">
      {preview_url !== null && <RunningPreview url={preview_url} />}
      <ul aria-label="Outputs so far" className={`grid gap-4 ${columnsFor(indexes.length)}`}>
        {indexes.map((index) => (
          <li key={index} className="grid min-w-0">
            <Box generation={generation}>
              <OutputState index={index} stored={stored.find((output) => output.index === index)} />
            </Box>
          </li>
        ))}
      </ul>
      <p role="status" className="text-xs text-soft">
        {stored.length}
        {expected.count > 1 && ` of ${expected.count}`} ready. Outputs open once all are.
      </p>
    </div>
  );
}

/** Renders a box with the shape of an output. */
function Box({ generation: { expected }, children }: { generation: GenerationDetail; children: ReactNode }) {
  const [modality = ""] = expected.modalities;
  const usualRatio = { image: 1, video: 16 / 9 }[modality];
  return (
    <p
      style={usualRatio === undefined ? undefined : { aspectRatio: String(expected.ratio ?? usualRatio) }}
      className="grid max-h-[36rem] min-h-24 w-full place-items-center rounded-lg bg-sunken p-4 text-center text-sm text-soft"
    >
      {children}
    </p>
  );
}

const OutputState = ({ index, stored }: { index: number; stored: StoredOutput | undefined }) =>
  stored ? (
    <span className="grid justify-items-center gap-1">
      <CircleCheck size={20} aria-hidden className="text-good" />
      <span className="font-medium text-ink">Output {index + 1} is ready</span>
      <span className="text-xs">
        {stored.media_type} · <Bytes value={stored.size} />
      </span>
    </span>
  ) : (
    <span className="animate-pulse">Output {index + 1}</span>
  );

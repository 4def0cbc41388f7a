import { FileThumbnail } from "../../../ui/file-thumbnail";
import { ownPath } from "../../../ui/own-path";
import type { GenerationOutput } from "../types";
import { OutputPicture } from "./output-picture";
import { type PreviewKind, previewKindOf } from "./preview-kind";
import { TextExcerpt } from "./text-excerpt";

interface Props {
  output: GenerationOutput;
  ratio: number | null;
  /** Whether it is one of several, which all get the same box. */
  isTile: boolean;
  onError: () => void;
}

/** Shows the content of an output where browsers can, otherwise an icon. */
export function OutputPreview({ output, ratio, isTile, onError }: Props) {
  const { url, media_type, size, index } = output;
  const path = ownPath(url);
  const kind = previewKindOf(media_type);
  const box = { style: { aspectRatio: aspectRatioOf(kind, ratio, isTile) }, className: "max-h-[36rem] w-full object-contain -outline-offset-2" }; // prettier-ignore
  const label = `Output ${index + 1}`;
  // A file that failed before the page was hydrated has reported that to nobody.
  const checkFailed = (element: HTMLMediaElement | null) => {
    if (element?.error) onError();
  };
  switch (kind) {
    case "image":
      return <OutputPicture output={output} label={label} box={box} isTile={isTile} onError={onError} />;
    case "video":
      return (
        <video
          {...box}
          src={path}
          controls
          playsInline
          preload="metadata"
          aria-label={`${label}, video`}
          ref={checkFailed}
          onError={onError}
        />
      );
    case "audio":
      return (
        <div className="p-4">
          <audio
            src={path}
            controls
            preload="metadata"
            aria-label={`${label}, audio`}
            className="w-full"
            ref={checkFailed}
            onError={onError}
          />
        </div>
      );
    case "text":
      return <TextExcerpt path={path} mediaType={media_type} size={size} label={label} />;
    case "file":
      return (
        <div className="grid min-h-40 place-items-center">
          <FileThumbnail path={path} mediaType={media_type} size={size} />
        </div>
      );
  }
}

const usualRatios: Partial<Record<PreviewKind, number>> = { video: 16 / 9 };

/** Returns the CSS that reserves the place of a file; a single one gets its own ratio when that is known. */
const aspectRatioOf = (kind: PreviewKind, ratio: number | null, isTile: boolean): string =>
  `${isTile ? "" : "auto "}${ratio ?? usualRatios[kind] ?? 1}`;

import { type ExposureHub, showFailure } from "../exposure";
import type { OutputRow, Status } from "../generations/row";
import type { Video } from "./videos";

const shownStatus = {
  awaiting_supply: "queued",
  queued: "queued",
  running: "in_progress",
  succeeded: "completed",
  failed: "failed",
  canceled: "failed",
} as const satisfies Record<Status, string>;

/** Returns a video as OpenAI's SDKs read it; times are Unix seconds, progress is in percent. */
export function serializeVideo({ exposure }: ExposureHub, video: Video) {
  const { id, model, status, input, progress, created_at, completed_at } = video;
  const output = findVideoOutput(video);
  return {
    id,
    object: "video" as const,
    model,
    status: shownStatus[status],
    progress: status === "succeeded" ? 100 : Math.round((progress ?? 0) * 100),
    created_at: toUnixSeconds(created_at),
    completed_at: completed_at && toUnixSeconds(completed_at),
    expires_at: output ? toUnixSeconds(new Date(output.expires_at)) : null,
    prompt: typeof input.prompt === "string" ? input.prompt : null,
    seconds: video.video.seconds,
    size: video.video.size,
    remixed_from_video_id: null,
    error: describeFailure(exposure, video),
  };
}

/** Returns the first output that is a video. */
export const findVideoOutput = ({ outputs }: Pick<Video, "outputs">): OutputRow | undefined =>
  outputs.find(({ media_type }) => media_type.startsWith("video/"));

function describeFailure(
  exposure: ExposureHub["exposure"],
  { status, provider, error }: Video,
): { code: string; message: string } | null {
  if (status === "canceled") return { code: "canceled", message: "The generation was canceled." };
  const shown = showFailure(exposure, error, provider);
  return shown && { code: shown.code, message: shown.message };
}

const toUnixSeconds = (time: Date) => Math.floor(time.getTime() / 1000);

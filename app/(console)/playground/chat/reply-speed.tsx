import { Count, Duration } from "../../../ui/values";
import type { Speed } from "./turn";

/** A shorter stream says nothing about the rate. */
const MIN_STREAM_MS = 100;

interface Props {
  speed: Speed;
  /** The tokens of the reply. */
  tokens: number;
}

/** Shows how soon a reply began and how fast it came. */
export const ReplySpeed = ({ speed: { firstMs, streamMs }, tokens }: Props) => (
  <>
    first token after <Duration ms={firstMs} />
    {streamMs >= MIN_STREAM_MS && (
      <>
        {" · "}
        <Count value={(tokens / streamMs) * 1000} /> tokens/s
      </>
    )}
  </>
);

import { Square } from "lucide-react";
import { Markdown } from "../../../markdown/markdown";
import { Button } from "../../../ui/button";
import { Skeleton } from "../../../ui/skeleton";

interface Props {
  text: string;
  /** Names the skeleton before the first text. */
  label: string;
}

/** Shows the text of a reply so far. */
export const PartialReply = ({ text, label }: Props) =>
  text === "" ? (
    <div role="status" aria-label={label} className="grid gap-2">
      <Skeleton className="h-4 w-3/4" />
      <Skeleton className="h-4 w-1/2" />
    </div>
  ) : (
    <div aria-busy="true" className="min-w-0">
      <Markdown text={text} />
    </div>
  );

interface StopProps {
  /** Whether the reply was stopped, and its cost is not known yet. */
  isStopping: boolean;
  onStop: () => void;
}

export const StopButton = ({ isStopping, onStop }: StopProps) => (
  <Button className="justify-self-start" onClick={onStop} disabled={isStopping}>
    <Square size={16} aria-hidden />
    {isStopping ? "Stopping…" : "Stop"}
  </Button>
);

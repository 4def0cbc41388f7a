import { CloudOff } from "lucide-react";
import { Button } from "./button";
import { errorsOf } from "./errors-of";
import { Notice } from "./notice";
import { Skeleton } from "./skeleton";

interface Props {
  /** The subject of the error message, such as "The list". */
  what: string;
  query: { error: unknown; refetch: () => unknown };
}

/** Stands in for data that is loading or failed to load. */
export const NotLoaded = ({ what, query: { error, refetch } }: Props) =>
  error ? (
    <Notice
      heading="h3"
      title={`${what} could not be loaded`}
      icon={<CloudOff size={20} />}
      action={<Button onClick={() => void refetch()}>Try again</Button>}
    >
      {errorsOf(error)!.message}
    </Notice>
  ) : (
    <div role="status" aria-label="Loading" className="p-5">
      <Skeleton className="h-40 w-full" />
    </div>
  );

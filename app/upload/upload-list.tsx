import { X } from "lucide-react";
import { Button } from "../ui/button";
import { ProgressBar } from "../ui/progress-bar";
import { Bytes } from "../ui/values";
import type { Upload } from "./use-uploads";

/** Lists the uploads in progress and those that failed. */
export const UploadList = ({ uploads }: { uploads: Upload[] }) =>
  uploads.length > 0 && (
    <ul aria-label="Uploads" className="grid gap-2">
      {uploads.map(({ id, name, size, share, error, dismiss }) => (
        <li key={id} className="flex items-center gap-3 rounded-lg border border-line bg-raised py-2 pr-2 pl-4">
          <div className="grid min-w-0 flex-1 gap-1.5">
            <p className="flex justify-between gap-3 text-sm">
              <span className="truncate font-medium">{name}</span>
              <span className="shrink-0 text-xs text-soft tabular-nums">
                {!error && `${Math.floor(share * 100)}% of `}
                <Bytes value={size} />
              </span>
            </p>
            {error ? (
              <p role="alert" className="text-sm text-danger">
                {error}
              </p>
            ) : (
              <ProgressBar share={share} label={`Upload of ${name}`} />
            )}
          </div>
          <Button
            kind="ghost"
            className="px-2"
            aria-label={error ? `Dismiss ${name}` : `Cancel ${name}`}
            onClick={dismiss}
          >
            <X size={16} aria-hidden />
          </Button>
        </li>
      ))}
    </ul>
  );

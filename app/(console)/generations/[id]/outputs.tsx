"use client";

import { Download, ImageOff } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { FileThumbnail } from "../../../ui/file-thumbnail";
import { ownPath } from "../../../ui/own-path";
import { formatBytes } from "../../../ui/number-formats";
import { Expiry } from "../../../ui/time-ago";
import type { GenerationDetail } from "../types";

type GenerationOutput = GenerationDetail["outputs"][number];

export function Outputs({ generation: { outputs, completed_at, is_llm, status } }: { generation: GenerationDetail }) {
  if (outputs.length > 0) {
    return (
      <Card title={outputs.length === 1 ? "Output" : `${outputs.length} outputs`}>
        <ul className={`grid gap-6 ${outputs.length > 1 ? "sm:grid-cols-2" : ""}`}>
          {outputs.map((output) => (
            <Output key={output.index} output={output} />
          ))}
        </ul>
      </Card>
    );
  }
  if (is_llm || (completed_at && status !== "succeeded")) return null;
  return (
    <Card title="Output">
      <p className="text-sm text-soft">The output will appear here.</p>
    </Card>
  );
}

/** Shows an output with a preview and a download link. */
export function Output({ output }: { output: GenerationOutput }) {
  const { url, media_type, size, expires_at } = output;
  const [failed, setFailed] = useState(false);
  const path = ownPath(url);
  const isAvailable = !failed && new Date(expires_at) > new Date();
  return (
    <li className="grid content-start gap-3">
      {isAvailable ? (
        <OutputPreview output={output} onError={() => setFailed(true)} />
      ) : (
        <p className="grid min-h-40 place-items-center content-center gap-2 rounded-lg bg-sunken p-6 text-center text-sm text-soft">
          <ImageOff size={20} aria-hidden />
          This file is no longer available.
        </p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-2">
        <span className="text-xs text-soft">
          {media_type} · {formatBytes(size)} · {isAvailable ? "expires" : "expired"} <Expiry at={expires_at} />
        </span>
        {isAvailable && (
          <span className="flex gap-2">
            <CopyButton text={url} label="Copy URL" />
            <Button asChild>
              <a href={path} download aria-label={`Download ${media_type}`}>
                <Download size={16} aria-hidden />
                Download
              </a>
            </Button>
          </span>
        )}
      </div>
    </li>
  );
}

/** The content where browsers can show it, else a file icon. */
function OutputPreview({
  output: { url, media_type, size, index },
  onError,
}: {
  output: GenerationOutput;
  onError: () => void;
}) {
  const path = ownPath(url);
  const baseClass = "max-h-[36rem] w-full rounded-lg bg-sunken object-contain";
  if (media_type.startsWith("image/")) {
    return (
      <a href={path} target="_blank" rel="noreferrer">
        <img src={path} alt={`Output ${index + 1}`} className={baseClass} onError={onError} />
      </a>
    );
  }
  if (media_type.startsWith("video/")) {
    return <video src={path} controls preload="metadata" className={baseClass} onError={onError} />;
  }
  if (media_type.startsWith("audio/")) return <audio src={path} controls preload="metadata" className="w-full" />;
  return <FileThumbnail path={path} mediaType={media_type} size={size} />;
}

"use client";

import { useEffect, useState } from "react";
import { CopyButton } from "../../../../ui/copy-button";
import { useFormats } from "../../../../ui/formats-context";
import type { TriedResponse } from "./send-request";

/** Shows a response: status, duration, selected headers and body. */
export function TryResult({ response }: { response: TriedResponse | null }) {
  return (
    <>
      <p role="status" className="text-sm font-medium">
        {response && `Response ${response.status} in ${Math.round(response.durationMs)} ms`}
      </p>
      {response && (
        <div className="grid gap-3">
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-xs">
            {response.headers.map(([name, value]) => (
              <div key={name} className="contents">
                <dt className="text-soft">{name}</dt>
                <dd className="font-mono break-all">{value}</dd>
              </div>
            ))}
          </dl>
          {response.content?.kind === "text" && <JsonBody text={response.content.text} />}
          {response.content?.kind === "file" && <FileBody file={response.content.file} />}
        </div>
      )}
    </>
  );
}

const JsonBody = ({ text }: { text: string }) => (
  <div className="relative">
    <pre
      tabIndex={0}
      aria-label="Response body"
      className="max-h-96 overflow-auto rounded-lg bg-sunken p-4 pb-14 font-mono text-xs leading-5"
    >
      {text}
    </pre>
    <CopyButton text={text} label="Copy response" className="absolute right-3 bottom-3" />
  </div>
);

function FileBody({ file }: { file: Blob }) {
  const { bytes } = useFormats();
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const created = URL.createObjectURL(file);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [file]);
  if (!url) return null;
  const description = `${file.type || "File"}, ${bytes(file.size)}`;
  return (
    <div className="grid justify-items-start gap-2 text-sm">
      {file.type.startsWith("image/") && <img src={url} alt="Response" className="max-h-64 max-w-full rounded-lg" />}
      <a href={url} download className="inline-flex min-h-9 items-center underline pointer-coarse:min-h-11">
        Download ({description})
      </a>
    </div>
  );
}

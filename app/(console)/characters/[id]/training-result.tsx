import { Download } from "lucide-react";
import { CallSnippets } from "../../../code-samples/call-snippets";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { FileThumbnail } from "../../../ui/file-thumbnail";
import { Link } from "../../../ui/link";
import { ownPath } from "../../../ui/own-path";
import { formatBytes } from "../../../ui/format-bytes";
import type { Character } from "../types";

/** Shows the training result of a ready character, with an example request. */
export function TrainingResult({
  character: { id, model, outputs, trigger_word },
  base,
}: {
  character: Character;
  base: string;
}) {
  const sheet = outputs.find(({ media_type }) => media_type.startsWith("image/"));
  const prompt = [trigger_word, "at a harbour at dawn"].filter(Boolean).join(" ");
  return (
    <>
      <Card title="Training result">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {model && (
            <p className="text-sm leading-6 text-soft">
              <Link
                href={`/playground?model=${encodeURIComponent(model)}&character=${id}`}
                className="text-accent underline"
              >
                Use it in the playground
              </Link>
              , or pass its ID as <code className="font-mono text-xs">character</code> in the input of{" "}
              <Link href={`/models/${encodeURIComponent(model)}`} className="text-accent underline">
                {model}
              </Link>
              , as in the example below.
            </p>
          )}
          {sheet && (
            <img
              src={ownPath(sheet.url)}
              alt="Preview of the training result"
              className="max-h-96 max-w-full rounded-lg border border-line"
            />
          )}
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {outputs.map(({ index, url, media_type, size }) => (
              <li key={index} className="flex items-center gap-3 text-sm">
                <FileThumbnail path={ownPath(url)} mediaType={media_type} size={size} />
                <span className="min-w-0 flex-1 truncate">
                  {media_type}, {formatBytes(size)}
                </span>
                <Button asChild>
                  <a href={ownPath(url)} download aria-label={`Download ${media_type}`}>
                    <Download size={16} aria-hidden />
                    Download
                  </a>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      </Card>
      {model && <CallSnippets call={{ base, model, isLlm: false, input: { prompt, character: id } }} />}
    </>
  );
}

import { Download } from "lucide-react";
import { CallSnippets } from "../../../code-samples/call-snippets";
import { StatusBadge } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { FileThumbnail, thumbnailPath } from "../../../ui/file-thumbnail";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { ownPath } from "../../../ui/own-path";
import { Table, Td, Th } from "../../../ui/table";
import { Bytes, TimeAgo } from "../../../ui/values";
import type { Character } from "../types";

/** Lists the trainings of a character; each start and resume is its own generation. */
export function Trainings({ character: { trainings } }: { character: Character }) {
  if (trainings.length === 0) return null;
  return (
    <Card flush title="Training runs">
      <Table label="All training runs">
        <thead>
          <tr>
            <Th>Started</Th>
            <Th>Status</Th>
            <Th className="text-right">Billed</Th>
            <Th className="text-right max-sm:hidden">Estimate</Th>
          </tr>
        </thead>
        <tbody>
          {trainings.map(({ id, status, billed_cost, estimated_cost, created_at }) => (
            <tr key={id} className="hover:bg-sunken/60">
              <Td className="w-full max-w-0">
                <Link href={`/generations/${id}`} className="block truncate font-medium hover:underline">
                  <TimeAgo at={created_at} />
                </Link>
              </Td>
              <Td>
                <StatusBadge status={status} />
              </Td>
              <Td className="text-right">{billed_cost === null ? "—" : <Money euros={billed_cost} />}</Td>
              <Td className="text-right text-soft max-sm:hidden">
                <Money euros={estimated_cost} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </Card>
  );
}

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
            <a href={ownPath(sheet.url)} target="_blank" rel="noreferrer" className="-outline-offset-2">
              <img
                src={thumbnailPath(ownPath(sheet.url), 512)}
                alt="Preview of the training result"
                fetchPriority="high"
                className="h-80 w-full rounded-lg border border-line object-contain"
              />
            </a>
          )}
          <ul className="grid grid-cols-[minmax(0,1fr)] gap-2">
            {outputs.map(({ index, url, media_type, size }) => (
              <li key={index} className="flex items-center gap-3 text-sm">
                <FileThumbnail path={ownPath(url)} mediaType={media_type} size={size} />
                <span className="min-w-0 flex-1 truncate">
                  {media_type}, <Bytes value={size} />
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

"use client";

import { Pencil, RotateCw } from "lucide-react";
import { usePrice } from "../../../code-samples/use-price";
import { Markdown } from "../../../markdown/markdown";
import { Button } from "../../../ui/button";
import { CopyButton } from "../../../ui/copy-button";
import { FileThumbnail } from "../../../ui/file-thumbnail";
import { Link } from "../../../ui/link";
import { ownFilePath } from "../../../ui/own-path";
import { PriceOnButton } from "../../../ui/price-on-button";
import { Count, Money } from "../../../ui/values";
import { inputOf, type Settings, type Turn } from "./turn";

interface Props {
  turn: Turn;
  model: string;
  /** Absent where the message cannot be edited. */
  onEdit?: () => void;
  /** What requests another reply to the same question; absent for earlier replies. */
  regenerate?: { input: Turn[]; settings: Settings; onRegenerate: () => void };
}

/** Shows a message, with its images and actions. */
export const ChatMessage = ({ turn, model, onEdit, regenerate }: Props) =>
  turn.role === "user" ? (
    <li className="group grid max-w-[85%] justify-items-end gap-1 justify-self-end">
      <div className="rounded-2xl bg-wash px-4 py-2.5">
        <span className="sr-only">You: </span>
        <p className="text-sm leading-6 break-words whitespace-pre-wrap">{turn.text}</p>
        <Images urls={turn.images} />
      </div>
      {onEdit && (
        <Button kind="ghost" className="px-2 text-xs" onClick={onEdit}>
          <Pencil size={14} aria-hidden />
          Edit
          <span className="sr-only"> message</span>
        </Button>
      )}
    </li>
  ) : (
    <li className="min-w-0 sm:max-w-[95%]">
      <span className="sr-only">Model: </span>
      <Markdown text={turn.text} />
      {turn.isCut && <p className="text-xs text-warning">Cut off at the maximum length.</p>}
      <MessageMeta turn={turn} model={model} regenerate={regenerate} />
    </li>
  );

const Images = ({ urls }: { urls: string[] }) =>
  urls.length > 0 && (
    <p className="mt-2 flex flex-wrap gap-2">
      {urls.map((url, index) => (
        <FileThumbnail
          key={index}
          path={ownFilePath(url) ?? ""}
          mediaType={ownFilePath(url) ? "image/*" : ""}
          size={0}
        />
      ))}
      <span className="sr-only">with {urls.length} images</span>
    </p>
  );

/** The cost of a reply, with its actions. */
const MessageMeta = ({ turn: { text, usage, id }, model, regenerate }: Omit<Props, "onEdit">) => (
  <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-soft tabular-nums">
    {usage && (
      <span>
        <Money euros={usage.cost} /> · <Count value={usage.prompt_tokens} /> tokens in ·{" "}
        <Count value={usage.completion_tokens} /> out
      </span>
    )}
    <CopyButton text={text} label="Copy reply" iconOnly />
    {id && (
      <Link href={`/generations/${id}`} className="underline hover:text-ink">
        Details
      </Link>
    )}
    {regenerate && <Regenerate model={model} {...regenerate} />}
  </div>
);

function Regenerate({ model, input, settings, onRegenerate }: { model: string } & NonNullable<Props["regenerate"]>) {
  const { data: price } = usePrice(model, inputOf(input, settings));
  return (
    <Button kind="ghost" className="px-2 text-xs" onClick={onRegenerate}>
      <RotateCw size={14} aria-hidden />
      <span>
        Regenerate
        <PriceOnButton euros={price?.estimated_cost} isExact={false} />
      </span>
    </Button>
  );
}

"use client";

import { useEffect, useRef } from "react";
import { CopyButton } from "../../ui/copy-button";
import { FileThumbnail } from "../../ui/file-thumbnail";
import { Link } from "../../ui/link";
import { Money } from "../../ui/money";
import { ownFilePath } from "../../ui/own-path";
import { Skeleton } from "../../ui/skeleton";
import type { Turn } from "./turn";

interface Props {
  turns: Turn[];
  /** True while the reply to the last message is pending. */
  isBusy: boolean;
}

/** Shows the messages of a chat, with the cost of each reply and the total. */
export function Conversation({ turns, isBusy }: Props) {
  const box = useRef<HTMLDivElement>(null);
  // Scrolls the newest message into view without moving the page.
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [turns, isBusy]);
  const total = turns.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0);
  return (
    <div className="grid gap-4">
      <div ref={box} role="region" tabIndex={0} aria-label="Chat history" className="max-h-[60dvh] overflow-y-auto">
        <ol aria-label="Conversation" aria-live="polite" className="grid gap-5">
          {turns.map((turn, index) => (
            <ChatMessage key={index} turn={turn} />
          ))}
        </ol>
        {isBusy && (
          <div role="status" aria-label="Waiting for the reply" className="mt-5 grid gap-2">
            <Skeleton className="h-4 w-3/4" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        )}
      </div>
      {total > 0 && (
        <p className="text-right text-xs text-soft">
          This chat cost <Money euros={total} />
        </p>
      )}
    </div>
  );
}

function ChatMessage({ turn }: { turn: Turn }) {
  const isQuestion = turn.role === "user";
  return (
    <li
      className={isQuestion ? "max-w-[85%] justify-self-end rounded-2xl bg-wash px-4 py-2.5" : "min-w-0 sm:max-w-[95%]"}
    >
      <span className="sr-only">{isQuestion ? "You: " : "Model: "}</span>
      <p className="text-sm leading-6 break-words whitespace-pre-wrap">{turn.text}</p>
      {turn.images.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-2">
          {turn.images.map((url, index) => (
            <FileThumbnail
              key={index}
              path={ownFilePath(url) ?? ""}
              mediaType={ownFilePath(url) ? "image/*" : ""}
              size={0}
            />
          ))}
          <span className="sr-only">with {turn.images.length} images</span>
        </p>
      )}
      {turn.isCut && <p className="text-xs text-warning">Cut off at the maximum length.</p>}
      {!isQuestion && <MessageMeta turn={turn} />}
    </li>
  );
}

/** The cost of a reply, with its actions. */
const MessageMeta = ({ turn: { text, usage, id } }: { turn: Turn }) => (
  <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-soft tabular-nums">
    {usage && (
      <span>
        <Money euros={usage.cost} /> · {usage.prompt_tokens.toLocaleString("en")} tokens in ·{" "}
        {usage.completion_tokens.toLocaleString("en")} out
      </span>
    )}
    <CopyButton text={text} label="Copy reply" iconOnly />
    {id && (
      <Link href={`/generations/${id}`} className="underline hover:text-ink">
        Details
      </Link>
    )}
  </div>
);

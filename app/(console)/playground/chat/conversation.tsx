"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { usePrice } from "../../../code-samples/use-price";
import { Button } from "../../../ui/button";
import { TextArea } from "../../../ui/controls";
import { Money } from "../../../ui/values";
import { PriceOnButton } from "../../../ui/price-on-button";
import { Skeleton } from "../../../ui/skeleton";
import { ChatMessage } from "./chat-message";
import { inputOf, isAwaitingReply, type Settings, type Turn } from "./turn";
import type { useConversation } from "./use-conversation";

interface Props {
  model: string;
  chat: ReturnType<typeof useConversation>;
  /** The index of the message that is being edited. */
  editing: number | null;
  onEdit: (index: number | null) => void;
  /** The most that the reply to the last message can cost. */
  replyPrice: number | undefined;
}

/** Shows the messages of a chat, with the cost of each reply and the total. */
export function Conversation({ model, chat, editing, onEdit, replyPrice }: Props) {
  const { turns, isBusy } = chat;
  const box = useRef<HTMLDivElement>(null);
  // Scrolls the newest message into view without moving the page.
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [turns, isBusy]);
  const total = turns.reduce((sum, { usage }) => sum + (usage?.cost ?? 0), 0);
  return (
    <div className="grid gap-4">
      <div
        ref={box}
        role="region"
        tabIndex={0}
        aria-label="Chat history"
        className="-m-1 max-h-[60dvh] overflow-y-auto p-1"
      >
        <ol aria-label="Conversation" className="grid gap-5">
          {turns.map((_, index) => (
            <Message key={index} index={index} model={model} chat={chat} editing={editing} onEdit={onEdit} />
          ))}
        </ol>
        {isBusy && (
          <div role="status" aria-label="Waiting for the reply" className="mt-5 grid gap-2">
            <Skeleton className="h-4 w-3/4" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        )}
      </div>
      {/* The list is not a live region, because screen readers would read all of it again. */}
      <p role="status" className="sr-only">
        {!isBusy && turns.at(-1)?.role === "assistant" ? "Reply complete" : ""}
      </p>
      {isAwaitingReply(turns) && !isBusy && <MissingReply chat={chat} euros={replyPrice} />}
      {total > 0 && (
        <p className="text-right text-xs text-soft">
          This chat cost <Money euros={total} />
        </p>
      )}
    </div>
  );
}

/** Shows the message at `index`, or the form that edits it. */
function Message({ index, model, chat, editing, onEdit }: Omit<Props, "replyPrice"> & { index: number }) {
  const { turns, settings, isBusy } = chat;
  const turn = turns[index]!;
  if (index === editing) {
    const resend = (text: string) => {
      onEdit(null);
      chat.resend(index, text);
    };
    const before = turns.slice(0, index + 1);
    return (
      <EditMessage model={model} turns={before} settings={settings} onCancel={() => onEdit(null)} onResend={resend} />
    );
  }
  const isLastReply = turn.role === "assistant" && index === turns.length - 1 && index > 0;
  const regenerate = { input: turns.slice(0, -1), settings, onRegenerate: chat.regenerate };
  return (
    <ChatMessage
      turn={turn}
      model={model}
      onEdit={turn.role === "user" && !isBusy ? () => onEdit(index) : undefined}
      regenerate={isLastReply && !isBusy ? regenerate : undefined}
    />
  );
}

/** Explains why a message has no reply, with a button that fetches it. */
const MissingReply = ({ chat, euros }: { chat: Props["chat"]; euros: number | undefined }) => (
  <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg bg-sunken px-4 py-3 text-sm">
    <p role={chat.isStopped ? "status" : undefined} className="min-w-0 flex-1 basis-64 text-soft">
      {chat.isStopped && "Stopped waiting. "}
      {chat.turns.at(-1)?.sent
        ? "The model may still finish its reply, and you pay for the tokens that it used. Get the reply within a day, and you are charged only once."
        : "This message has no reply yet."}
    </p>
    <Button onClick={chat.retry}>
      <span>
        Get the reply
        <PriceOnButton euros={euros} isExact={false} />
      </span>
    </Button>
  </div>
);

interface EditMessageProps {
  model: string;
  /** The chat up to the message that is edited. */
  turns: Turn[];
  settings: Settings;
  onCancel: () => void;
  onResend: (text: string) => void;
}

/** Edits a message in place, and sends it again. */
function EditMessage({ model, turns, settings, onCancel, onResend }: EditMessageProps) {
  const turn = turns.at(-1)!;
  const [text, setText] = useState(turn.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { data: price } = usePrice(model, inputOf([...turns.slice(0, -1), { ...turn, text }], settings));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") onResend(text);
  };
  return (
    <li>
      <form onSubmit={submit} className="grid gap-2">
        <TextArea
          ref={field}
          aria-label="Edit message"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && onCancel()}
          className="field-sizing-content max-h-64 min-h-20 w-full rounded-lg border border-strong-line bg-raised px-3 py-2 text-base sm:text-sm"
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={text.trim() === ""}>
            <span>
              Resend
              <PriceOnButton euros={price?.estimated_cost} isExact={false} />
            </span>
          </Button>
        </div>
      </form>
    </li>
  );
}

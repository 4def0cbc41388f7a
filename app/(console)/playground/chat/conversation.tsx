"use client";

import { Pencil, RotateCw } from "lucide-react";
import { type FormEvent, useDeferredValue, useEffect, useRef, useState } from "react";
import { eurosOf, usePrice } from "../../../code-samples/use-price";
import { Markdown } from "../../../markdown/markdown";
import { Button } from "../../../ui/button";
import { TextArea } from "../../../ui/controls";
import { CopyButton } from "../../../ui/copy-button";
import { FileThumbnail } from "../../../ui/file-thumbnail";
import { Link } from "../../../ui/link";
import { Money } from "../../../ui/money";
import { ownFilePath } from "../../../ui/own-path";
import { PriceOnButton } from "../../../ui/price-on-button";
import { Count } from "../../../ui/values";
import { PartialReply } from "./partial-reply";
import { ReplySpeed } from "./reply-speed";
import { inputOf, isAwaitingReply, type Settings, type Turn } from "./turn";
import type { useConversation } from "./use-conversation";

interface Props {
  model: string;
  chat: ReturnType<typeof useConversation>;
  /** The index of the message that is being edited. */
  editing: number | null;
  onEdit: (index: number | null) => void;
  /** The most that the reply to the last message can cost. */
  replyPrice: number | null | undefined;
}

/** Shows the messages of a chat, with the cost of each reply and the total. */
export function Conversation({ model, chat, editing, onEdit, replyPrice }: Props) {
  const { turns, isBusy } = chat;
  // A text that grows is rendered when the browser has time for it.
  const partialText = useDeferredValue(chat.partialText);
  const box = useRef<HTMLDivElement>(null);
  // Scrolls the newest text into view without moving the page.
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [turns, isBusy, partialText]);
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
          <div className="mt-5">
            <PartialReply text={partialText} label="Waiting for the reply" />
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
const MissingReply = ({ chat, euros }: { chat: Props["chat"]; euros: number | null | undefined }) => (
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
  const price = usePrice(model, inputOf([...turns.slice(0, -1), { ...turn, text }], settings));
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
              <PriceOnButton euros={eurosOf(price)} isExact={false} />
            </span>
          </Button>
        </div>
      </form>
    </li>
  );
}

interface ChatMessageProps {
  turn: Turn;
  model: string;
  /** Absent where the message cannot be edited. */
  onEdit?: () => void;
  /** What requests another reply to the same question; absent for earlier replies. */
  regenerate?: { input: Turn[]; settings: Settings; onRegenerate: () => void };
}

/** Shows a message, with its images and actions. */
const ChatMessage = ({ turn, model, onEdit, regenerate }: ChatMessageProps) =>
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
      {turn.isCut && (
        <p className="text-xs text-warning">
          {turn.isStopped ? "Stopped." : "Cut off: it reached the maximum length, or was stopped."}
        </p>
      )}
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
const MessageMeta = ({ turn: { text, usage, speed, id }, model, regenerate }: Omit<ChatMessageProps, "onEdit">) => (
  <div className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-soft tabular-nums">
    {usage && (
      <span>
        <Money euros={usage.cost} /> · <Count value={usage.prompt_tokens} /> tokens in ·{" "}
        <Count value={usage.completion_tokens} /> out
        {speed && (
          <>
            {" · "}
            <ReplySpeed speed={speed} tokens={usage.completion_tokens} />
          </>
        )}
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

function Regenerate({
  model,
  input,
  settings,
  onRegenerate,
}: { model: string } & NonNullable<ChatMessageProps["regenerate"]>) {
  const price = usePrice(model, inputOf(input, settings));
  return (
    <Button kind="ghost" className="px-2 text-xs" onClick={onRegenerate}>
      <RotateCw size={14} aria-hidden />
      <span>
        Regenerate
        <PriceOnButton euros={eurosOf(price)} isExact={false} />
      </span>
    </Button>
  );
}

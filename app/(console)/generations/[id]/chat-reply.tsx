import { Markdown } from "../../../markdown/markdown";
import { describeTokens } from "../../../tokens/describe-tokens";
import { Card } from "../../../ui/card";
import { CopyButton } from "../../../ui/copy-button";
import { useFormats } from "../../../ui/formats-context";
import { Link } from "../../../ui/link";
import { TimeUntil } from "../../../ui/values";
import type { GenerationDetail } from "../types";

/** Shows a chat's reply in a card; nothing for other generations. */
export function ChatReply({ generation }: { generation: GenerationDetail }) {
  const { chat } = generation;
  if (!chat) return null;
  const text = readReplies(chat.choices ?? [])
    .map((reply) => reply.text)
    .join("\n\n");
  return (
    <Card title="Reply" action={text && <CopyButton text={text} label="Copy reply" />}>
      <ReplyText generation={generation} />
    </Card>
  );
}

/** Shows the tokens of a chat and its reply, or why there is none; nothing for other generations. */
export function ReplyText({ generation: { chat, usage } }: { generation: GenerationDetail }) {
  if (!chat) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {readReplies(chat.choices ?? []).map((reply, index) => (
        <Reply key={index} reply={reply} />
      ))}
      {chat.choices === null && <NotStored isKeeping={chat.is_keeping_replies} />}
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line pt-3 text-xs text-soft tabular-nums">
        <Tokens usage={usage ?? null} />
        {chat.deleted_at && (
          <span>
            Deleted <TimeUntil at={chat.deleted_at} />
          </span>
        )}
      </p>
    </div>
  );
}

interface StoredReply {
  text: string;
  toolCalls: unknown[];
  isCut: boolean;
}

const Reply = ({ reply: { text, toolCalls, isCut } }: { reply: StoredReply }) => (
  <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
    {text && <Markdown text={text} />}
    {toolCalls.length > 0 && (
      <pre
        tabIndex={0}
        aria-label="Tool calls"
        className="max-h-72 overflow-auto rounded-lg bg-sunken p-3 font-mono text-xs leading-6 break-words whitespace-pre-wrap"
      >
        {JSON.stringify(toolCalls, null, 2)}
      </pre>
    )}
    {isCut && <p className="text-xs text-warning">Only the beginning of this reply was stored.</p>}
  </div>
);

const NotStored = ({ isKeeping }: { isKeeping: boolean }) => (
  <p className="text-sm text-soft">
    {isKeeping ? "This reply is not stored or was deleted. " : "Replies are not stored. "}
    <Link href="/settings#replies" className="text-accent underline">
      {isKeeping ? "View the setting" : "Keep replies in Settings"}
    </Link>
  </p>
);

const Tokens = ({ usage }: { usage: GenerationDetail["usage"] | null }) => (
  <span>{usage ? describeTokens(usage, useFormats().number) : "Tokens were not recorded."}</span>
);

/** Reads the text and tool calls of stored choices, whatever their shape. */
function readReplies(choices: unknown[]): StoredReply[] {
  return choices.map((choice) => {
    const { message, truncated } = (choice ?? {}) as { message?: Record<string, unknown>; truncated?: boolean };
    const { content, tool_calls } = message ?? {};
    return {
      text: typeof content === "string" ? content : "",
      toolCalls: Array.isArray(tool_calls) ? tool_calls : [],
      isCut: truncated === true,
    };
  });
}

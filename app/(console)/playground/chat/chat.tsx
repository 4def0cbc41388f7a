"use client";

import { MessageSquare } from "lucide-react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { CallSnippets } from "../../../code-samples/call-snippets";
import { eurosOf, usePrice } from "../../../code-samples/use-price";
import type { Parameter } from "../../../parameters/parameter";
import { ParameterField } from "../../../parameters/parameter-field";
import { AccessError } from "../../../ui/access-error";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { errorsOf } from "../../../ui/errors-of";
import { Notice } from "../../../ui/notice";
import type { Model } from "../../models/types";
import { CopyLink } from "../copy-link";
import { Cost } from "../cost";
import { PresetsButton } from "../presets/presets-button";
import { ChatList } from "./chat-list";
import { Composer } from "./composer";
import { Conversation } from "./conversation";
import { isShortEnough, type StoredChat } from "./stored-chats";
import { type InitialChat, inputOf, isAwaitingReply, readSettings, type Settings, type Turn } from "./turn";
import { useConversation } from "./use-conversation";

const SAMPLE = "What does a lighthouse see?";
interface Props {
  model: Model;
  base: string;
  initialChat: InitialChat;
  /** Whether the chat comes from a link. */
  isPrefilled: boolean;
  onChooseModel: (id: string) => void;
}

/** Chats with a text model and shows the cost of each reply. */
export function Chat({ model, base, initialChat, isPrefilled, onChooseModel }: Props) {
  const chat = useConversation(model.id, initialChat, isPrefilled);
  const { turns, draft, settings } = chat;
  const [editing, setEditing] = useState<number | null>(null);
  const question = { ...draft, text: draft.text || SAMPLE };
  // A message that has no reply yet is sent again, unless another one is being written.
  const input = inputOf(isAwaitingReply(turns) && draft.text === "" ? turns : [...turns, question], settings);
  const price = usePrice(model.id, input);
  const shownError = chat.error ?? price.error;
  const euros = eurosOf(price);
  const open = (next: StoredChat | null) => {
    setEditing(null);
    chat.open(next);
  };
  const actions = (
    <ChatActions turns={turns} isBusy={chat.isBusy} onNew={() => open(null)}>
      <CopyLink base={base} model={model.id} input={draft.text === "" && turns.length === 0 ? {} : input} />
    </ChatActions>
  );
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card title="Chat" action={actions}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <Messages model={model.id} chat={chat} editing={editing} onEdit={setEditing} replyPrice={euros} />
          {!errorAt("max_tokens", shownError) && <AccessError error={shownError} />}
          <Composer
            draft={draft}
            onChange={chat.setDraft}
            onSend={chat.send}
            onStop={chat.stop}
            isBusy={chat.isBusy}
            isStopping={chat.isStopping}
            euros={euros}
            acceptsImages={model.supports_vision}
            placeholder={SAMPLE}
          >
            <Cost euros={euros} isExact={false} />
          </Composer>
        </div>
      </Card>
      <div className="grid gap-6">
        <ChatList
          open={chat.chatId}
          turns={turns}
          isBusy={chat.isBusy}
          model={model.id}
          onOpen={open}
          onChooseModel={onChooseModel}
        />
        <ChatSettings
          fieldsKey={chat.settingsKey}
          model={model}
          value={settings}
          onChange={chat.setSettings}
          onReplace={chat.replaceSettings}
          error={shownError}
        />
        <CallSnippets call={{ base, model: model.id, isLlm: true, input }} />
      </div>
    </div>
  );
}

interface ActionProps {
  turns: Turn[];
  isBusy: boolean;
  onNew: () => void;
  children: ReactNode;
}

const ChatActions = ({ turns, isBusy, onNew, children }: ActionProps) => (
  <div className="flex flex-wrap gap-2">
    {children}
    {turns.length > 0 && (
      <Button onClick={onNew} disabled={isBusy}>
        New chat
      </Button>
    )}
  </div>
);

const Messages = (props: ComponentProps<typeof Conversation>) => {
  const { turns } = props.chat;
  return turns.length === 0 ? (
    <Notice title="Start a conversation" heading="h3" icon={<MessageSquare size={20} />}>
      Every reply shows its tokens, speed and cost.
    </Notice>
  ) : (
    <>
      <Conversation {...props} />
      {!isShortEnough(turns) && (
        <p className="text-xs text-soft">This chat is too long to be stored in this browser.</p>
      )}
    </>
  );
};

const systemParameter: Parameter = {
  name: "system",
  required: false,
  schema: {
    type: "string",
    title: "System prompt",
    description: "Instructions given before the conversation (system prompt).",
  },
};
const maxTokensParameter = (max: number | null): Parameter => ({
  name: "max_tokens",
  required: false,
  schema: { type: "integer", minimum: 1, maximum: max ?? undefined, description: "Maximum reply length in tokens." },
});

interface ChatSettingsProps {
  /** Changes when the fields must show other settings. */
  fieldsKey: number;
  model: Model;
  value: Settings;
  onChange: (value: Settings) => void;
  /** Like `onChange`, for all settings at once. */
  onReplace: (value: Settings) => void;
  error: unknown;
}

/** Edits the settings sent with every message. */
const ChatSettings = ({ fieldsKey, model, value, onChange, onReplace, error }: ChatSettingsProps) => (
  <Card
    title="Settings"
    action={
      <PresetsButton
        what="settings"
        model={model.id}
        input={{ ...value }}
        onUse={(saved) => onReplace(readSettings(saved))}
      />
    }
  >
    <div key={fieldsKey} className="grid gap-4">
      {[systemParameter, maxTokensParameter(model.max_output_tokens)].map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={value[parameter.name as keyof Settings]}
          onChange={(next) => onChange(withSetting(value, parameter.name, next))}
          error={errorAt(parameter.name, error)}
        />
      ))}
    </div>
  </Card>
);

/** Returns the error of a setting: of a message that was sent, or of the price of the next one. */
const errorAt = (name: string, error: unknown): string | undefined =>
  errorsOf(error)?.field(name) ?? errorsOf(error)?.field(`input.${name}`);

function withSetting(settings: Settings, name: string, value: unknown): Settings {
  const all = { ...settings, [name]: value };
  return Object.fromEntries(Object.entries(all).filter(([, one]) => one !== undefined));
}

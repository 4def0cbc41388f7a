"use client";

import { MessageSquare } from "lucide-react";
import { useState } from "react";
import { CallSnippets } from "../../code-samples/call-snippets";
import { usePrice } from "../../code-samples/use-price";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { errorsOf } from "../../ui/errors-of";
import { Notice } from "../../ui/notice";
import { AccessError } from "../../ui/access-error";
import type { Model } from "../models/types";
import type { Parameter } from "../../parameters/parameter";
import { ParameterField } from "../../parameters/parameter-field";
import { Composer } from "./composer";
import { Conversation } from "./conversation";
import { Cost } from "./cost";
import { emptyTurn, type InitialChat, type Settings } from "./turn";
import { inputOf, useChat } from "./use-chat";

const SAMPLE = "What does a lighthouse see?";
interface Props {
  model: Model;
  base: string;
  initialChat: InitialChat;
}

/** Chats with a text model and shows the cost of each reply. */
export function Chat({ model, base, initialChat }: Props) {
  const { turns, ask, clear, isBusy, error } = useChat(model.id, initialChat.turns);
  const [settings, setSettings] = useState(initialChat.settings);
  const [draft, setDraft] = useState(initialChat.draft);
  const question = { ...draft, text: draft.text || SAMPLE };
  const input = inputOf(isBusy ? turns : [...turns, question], settings);
  const price = usePrice(model.id, input);
  const shownError = error ?? price.error;
  const send = () => {
    if (isBusy || draft.text.trim() === "") return;
    setDraft(emptyTurn);
    // A failed question returns to the draft.
    void ask(draft, settings).then((isAnswered) => {
      if (!isAnswered) setDraft((now) => (now.text ? now : draft));
    });
  };
  const newChat = (
    <Button onClick={clear} disabled={isBusy}>
      New chat
    </Button>
  );
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card title="Chat" action={turns.length > 0 && newChat}>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          {turns.length > 0 ? (
            <Conversation turns={turns} isBusy={isBusy} />
          ) : (
            <Notice title="Start a conversation" icon={<MessageSquare size={20} />}>
              Every reply shows its tokens and cost.
            </Notice>
          )}
          {!errorsOf(shownError)?.field("max_tokens") && <AccessError error={shownError} />}
          <Composer
            draft={draft}
            onChange={setDraft}
            onSend={send}
            isBusy={isBusy}
            acceptsImages={model.supports_vision}
            placeholder={SAMPLE}
          >
            <Cost euros={price.data?.estimated_cost} isExact={false} />
          </Composer>
        </div>
      </Card>
      <div className="grid gap-6">
        <ChatSettings model={model} value={settings} onChange={setSettings} error={shownError} />
        <CallSnippets call={{ base, model: model.id, isLlm: true, input }} />
      </div>
    </div>
  );
}

const systemParameter: Parameter = {
  name: "system",
  required: false,
  schema: { type: "string", description: "Instructions given before the conversation (system prompt)." },
};
const maxTokensParameter = (max: number | null): Parameter => ({
  name: "max_tokens",
  required: false,
  schema: { type: "integer", minimum: 1, maximum: max ?? undefined, description: "Maximum reply length in tokens." },
});

interface ChatSettingsProps {
  model: Model;
  value: Settings;
  onChange: (value: Settings) => void;
  error: unknown;
}

/** Edits the settings sent with every message. */
const ChatSettings = ({ model, value, onChange, error }: ChatSettingsProps) => (
  <Card title="Settings">
    <div className="grid gap-4">
      {[systemParameter, maxTokensParameter(model.max_output_tokens)].map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={value[parameter.name as keyof Settings]}
          onChange={(next) => onChange({ ...value, [parameter.name]: next })}
          error={errorsOf(error)?.field(parameter.name)}
        />
      ))}
    </div>
  </Card>
);

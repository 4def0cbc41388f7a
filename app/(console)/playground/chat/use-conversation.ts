"use client";

import { useState } from "react";
import { useStorageAccount } from "../../../storage/storage-account";
import { useDraft } from "../../../storage/use-draft";
import { useToast } from "../../../ui/toasts";
import { newKey } from "../../../ui/use-idempotency-key";
import { findChat, type StoredChat } from "./stored-chats";
import { emptyTurn, type InitialChat, type Settings, type Turn } from "./turn";
import { useAsk } from "./use-ask";

/** What the browser keeps for a model: the open chat, and what is written but not sent. */
export interface ChatDraft {
  chat: string | null;
  draft: Turn;
  settings: Settings;
}

/** Keeps a conversation with a text model, in this browser as well. A question that the hub rejects becomes the draft again. */
export function useConversation(model: string, initial: InitialChat, isPrefilled: boolean) {
  const toast = useToast();
  const [draft, setDraft] = useState(initial.draft);
  const [settings, setSettings] = useState(initial.settings);
  const [chatId, setChatId] = useState<string | null>(null);
  const [turns, setTurns] = useState(initial.turns);
  const { ask, reset, ...request } = useAsk(model, setTurns);
  // Some fields of the settings keep what was entered, so they are made anew for another chat.
  const [settingsKey, setSettingsKey] = useState(0);
  const open = (chat: StoredChat | null) => {
    reset();
    setSettingsKey((key) => key + 1);
    setChatId(chat?.id ?? null);
    setTurns(chat?.turns ?? []);
    if (chat) setSettings(chat.settings);
  };
  useChatDraft(model, { chat: chatId, draft, settings }, isPrefilled, (kept, chat) => {
    open(chat);
    setSettings(kept.settings);
    setDraft(kept.draft);
  });
  const askIn = (id: string, before: Turn[], question: Turn) => {
    setChatId(id);
    return ask(id, before, question, settings);
  };
  const send = () => {
    if (request.isBusy || draft.text.trim() === "") return;
    setDraft(emptyTurn);
    void askIn(chatId ?? newKey(), turns, draft).then((isKept) => {
      if (!isKept) setDraft((now) => (hasContent(now) ? now : draft));
    });
  };
  /** Continues from an earlier point as another chat, so that nothing is lost. */
  const fork = (before: Turn[], question: Turn) => {
    reset();
    toast({ text: "The earlier version stays in your chats." });
    void askIn(newKey(), before, { ...question, sent: undefined });
  };
  return {
    ...request,
    chatId,
    turns,
    settings,
    settingsKey,
    setSettings,
    draft,
    setDraft,
    open,
    send,
    /** Fetches the reply that did not arrive. */
    retry: () => void askIn(chatId ?? newKey(), turns.slice(0, -1), turns.at(-1)!),
    regenerate: () => fork(turns.slice(0, -2), turns.at(-2)!),
    resend: (index: number, text: string) => fork(turns.slice(0, index), { ...turns[index]!, text }),
  };
}

type OnRestore = (kept: ChatDraft, chat: StoredChat | null) => void;

/** Keeps the draft of a model's chat, and restores it with its chat. */
function useChatDraft(model: string, value: ChatDraft, isPrefilled: boolean, onRestore: OnRestore): void {
  const accountId = useStorageAccount();
  const toast = useToast();
  const isEmpty = value.chat === null && !hasContent(value.draft) && Object.keys(value.settings).length === 0;
  useDraft<ChatDraft>({
    name: model,
    value: isEmpty ? undefined : value,
    isPrefilled,
    onFound: (kept) => {
      const restore = () => onRestore(kept, kept.chat === null ? null : (findChat(accountId, kept.chat) ?? null));
      if (!isPrefilled) restore();
      else if (hasContent(kept.draft)) toast({ text: "The link replaced your draft.", undo: restore });
    },
  });
}

const hasContent = ({ text, images }: Turn): boolean => text !== "" || images.length > 0;

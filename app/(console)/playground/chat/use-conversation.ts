"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useDraft, useStorageAccount } from "../../../storage/use-draft";
import { useTRPC } from "../../../trpc/client";
import { errorsOf } from "../../../ui/errors-of";
import { useToast } from "../../../ui/toasts";
import { newKey } from "../../../ui/use-idempotency-key";
import { requestReply, Stopped } from "./request-reply";
import { findChat, saveChat, type StoredChat } from "./stored-chats";
import { emptyTurn, type InitialChat, inputOf, type Settings, type Turn } from "./turn";

/** The stored draft of a model: the open chat, and the message that was not sent. */
export interface ChatDraft {
  chat: string | null;
  draft: Turn;
  settings: Settings;
}

/** Manages a conversation with a text model, and stores it in this browser. A rejected question becomes the draft again. */
export function useConversation(model: string, initial: InitialChat, isPrefilled: boolean) {
  const toast = useToast();
  const [draft, setDraft] = useState(initial.draft);
  const [settings, setSettings] = useState(initial.settings);
  const [chatId, setChatId] = useState<string | null>(null);
  const [turns, setTurns] = useState(initial.turns);
  const { ask, reset, ...request } = useAsk(model, setTurns);
  // Some fields of the settings have their own state, which this key resets for another chat.
  const [settingsKey, setSettingsKey] = useState(0);
  const replaceSettings = (next: Settings) => {
    setSettings(next);
    setSettingsKey((key) => key + 1);
  };
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
  /** Continues from an earlier point as a new chat, so that nothing is lost. */
  const fork = (before: Turn[], question: Turn) => {
    reset();
    toast({ text: "The earlier version is still in your chats." });
    void askIn(newKey(), before, { ...question, sent: undefined });
  };
  return {
    ...request,
    chatId,
    turns,
    settings,
    settingsKey,
    setSettings,
    replaceSettings,
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

/** Stores the draft of a model's chat, and restores it with its chat. */
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

/** Returns a function that sends a question, reports its progress to `onTurns`, and stores the chat in this browser. */
function useAsk(model: string, onTurns: (turns: Turn[]) => void) {
  const accountId = useStorageAccount();
  const { requestReply, ...request } = useRequestReply(model);

  /**
   * Requests the reply to `question` after the turns `before`, in the chat `id`. Returns false if the hub rejected the
   * question, which is then removed; a question with an unknown outcome stays.
   */
  const ask = async (id: string, before: Turn[], question: Turn, settings: Settings): Promise<boolean> => {
    const sent = question.sent ?? { key: newKey(), settings };
    const show = (turns: Turn[]) => {
      onTurns(turns);
      saveChat(accountId, { id, model, turns, settings: sent.settings });
    };
    show([...before, { ...question, sent }]);
    try {
      const reply = await requestReply({ turns: [...before, question], ...sent });
      const stored = findChat(accountId, id);
      // The page may have been left, and the chat continued or deleted meanwhile.
      if (!stored || stored.turns.at(-1)?.sent?.key === sent.key)
        show([...before, { ...question, sent: undefined }, reply]);
      return true;
    } catch (error) {
      // The hub may still complete what it has received, so the question stays, with the key that fetches its reply.
      if (error instanceof Stopped || errorsOf(error)?.code === null) return true;
      show(before);
      return false;
    }
  };
  return { ...request, ask };
}

interface Request {
  turns: Turn[];
  /** A request that is sent again with the same key is neither repeated nor charged twice. */
  key: string;
  settings: Settings;
}

/** Returns a function that requests the reply to the last turn, its text so far, and a function that stops it. */
function useRequestReply(model: string) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const controller = useRef<AbortController>(null);
  const [partialText, setPartialText] = useState("");
  const [isStopping, setIsStopping] = useState(false);
  const mutation = useMutation({
    mutationFn: ({ turns, key, settings }: Request): Promise<Turn> => {
      const own = (controller.current = new AbortController());
      setPartialText("");
      setIsStopping(false);
      const body = { idempotencyKey: key, model, ...inputOf(turns, settings) };
      // An earlier reply, which is no longer shown, may still arrive.
      const onText = (text: string) => void (controller.current === own && setPartialText(text));
      return requestReply(body, { stop: own.signal, onText });
    },
    onSettled: () => queries.invalidateQueries(trpc.account.get.queryFilter()),
  });
  const stop = () => {
    setIsStopping(true);
    controller.current?.abort();
  };
  return {
    requestReply: mutation.mutateAsync,
    stop,
    partialText,
    isStopping,
    isBusy: mutation.isPending,
    error: mutation.error instanceof Stopped ? null : mutation.error,
    isStopped: mutation.error instanceof Stopped,
    reset: mutation.reset,
  };
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { Pencil, Trash2 } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { readDraft, useStorageAccount, writeDraft } from "../../../storage/use-draft";
import { useTRPC } from "../../../trpc/client";
import { Button } from "../../../ui/button";
import { Card } from "../../../ui/card";
import { Dialog } from "../../../ui/dialog";
import { TextField } from "../../../ui/form";
import { TimeAgo } from "../../../ui/values";
import { useToast } from "../../../ui/toasts";
import { listChats, replaceChats, type StoredChat } from "./stored-chats";
import { emptyTurn, type Turn } from "./turn";
import type { ChatDraft } from "./use-conversation";

interface Props {
  /** The id of the open chat. */
  open: string | null;
  /** The turns of the open chat; the list is read again when they change. */
  turns: Turn[];
  isBusy: boolean;
  model: string;
  onOpen: (chat: StoredChat | null) => void;
  onChooseModel: (id: string) => void;
}

/** Lists the chats stored in this browser; renders nothing without one. */
export function ChatList({ open, turns, isBusy, model, onOpen, onChooseModel }: Props) {
  const accountId = useStorageAccount();
  const toast = useToast();
  const [chats, setChats] = useState<StoredChat[]>([]);
  const [renaming, setRenaming] = useState<StoredChat | null>(null);
  const { data: models = [] } = useQuery(useTRPC().models.list.queryOptions());
  useEffect(() => setChats(listChats(accountId)), [accountId, turns]);
  const replace = (next: StoredChat[]) => {
    replaceChats(accountId, next);
    setChats(next);
  };
  const openChat = (chat: StoredChat) => {
    // The chat of a model that is no longer offered continues with the current one.
    if (chat.model === model || !models.some(({ id }) => id === chat.model)) return onOpen(chat);
    const kept = readDraft(accountId, chat.model) as ChatDraft | undefined;
    const draft: ChatDraft = { chat: chat.id, draft: kept?.draft ?? emptyTurn, settings: chat.settings };
    writeDraft(accountId, chat.model, draft);
    onChooseModel(chat.model);
  };
  const remove = (chat: StoredChat) => {
    const listOthers = () => listChats(accountId).filter(({ id }) => id !== chat.id);
    replace(listOthers());
    if (chat.id === open) onOpen(null);
    // Others may have changed since.
    const undo = () => replace([...listOthers(), chat].sort((a, b) => b.at.localeCompare(a.at)));
    toast({ text: "Chat deleted.", undo });
  };
  const rename = (title: string) => {
    replace(listChats(accountId).map((chat) => (chat.id === renaming!.id ? { ...chat, title } : chat)));
    setRenaming(null);
  };
  if (chats.length === 0) return null;
  return (
    <Card flush title="Chats in this browser">
      <ul className="max-h-80 divide-y divide-line overflow-y-auto">
        {chats.map((chat) => (
          <ChatRow
            key={chat.id}
            chat={chat}
            isOpen={chat.id === open}
            isBusy={isBusy}
            onOpen={() => openChat(chat)}
            onRename={() => setRenaming(chat)}
            onDelete={() => remove(chat)}
          />
        ))}
      </ul>
      <p className="border-t border-line px-5 py-3 text-xs leading-5 text-soft">
        Stored only in this browser, until you sign out. The oldest chats are removed to make room for new ones.
      </p>
      {renaming && <RenameChat chat={renaming} onRename={rename} onClose={() => setRenaming(null)} />}
    </Card>
  );
}

interface RowProps {
  chat: StoredChat;
  isOpen: boolean;
  isBusy: boolean;
  onOpen: () => void;
  onRename: () => void;
  onDelete: () => void;
}

const ChatRow = ({ chat: { title, at, model }, isOpen, isBusy, onOpen, onRename, onDelete }: RowProps) => (
  <li className="flex items-center gap-1 py-1 pr-2 pl-5">
    <button
      type="button"
      disabled={isBusy}
      aria-current={isOpen ? "true" : undefined}
      onClick={onOpen}
      className="grid min-h-11 min-w-0 flex-1 cursor-pointer content-center text-left disabled:cursor-not-allowed"
    >
      <span className={`truncate text-sm ${isOpen ? "font-semibold" : ""}`}>{title}</span>
      <span className="truncate text-xs text-soft">
        <TimeAgo at={at} /> · {model}
      </span>
    </button>
    <Button kind="ghost" className="px-2" aria-label={`Rename ${title}`} onClick={onRename}>
      <Pencil size={16} aria-hidden />
    </Button>
    <Button kind="ghost" className="px-2" aria-label={`Delete ${title}`} disabled={isBusy} onClick={onDelete}>
      <Trash2 size={16} aria-hidden />
    </Button>
  </li>
);

const MAX_TITLE_LENGTH = 100;

interface RenameProps {
  chat: StoredChat;
  onRename: (title: string) => void;
  onClose: () => void;
}

function RenameChat({ chat, onRename, onClose }: RenameProps) {
  const [title, setTitle] = useState(chat.title);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() !== "") onRename(title.trim());
  };
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()} title="Rename chat">
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label="Title"
          value={title}
          maxLength={MAX_TITLE_LENGTH}
          onChange={(event) => setTitle(event.target.value)}
        />
        <Button kind="primary" type="submit" disabled={title.trim() === ""} className="justify-self-end">
          Rename
        </Button>
      </form>
    </Dialog>
  );
}

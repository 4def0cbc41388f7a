"use client";

import { readList, writeList } from "../../../storage/local-data";
import type { Settings, Turn } from "./turn";

/** A chat stored in the browser. */
export interface StoredChat {
  id: string;
  title: string;
  model: string;
  /** When it was last changed. */
  at: string;
  turns: Turn[];
  settings: Settings;
}

const BOUNDS = { maxItems: 50, maxLength: 2_000_000 };
/** Keeps one chat from displacing all others. */
const MAX_CHAT_LENGTH = 500_000;
const MAX_TITLE_LENGTH = 60;

/** Returns the account's chats in this browser, the newest first. */
export const listChats = (accountId: number): StoredChat[] => readList<StoredChat>(accountId, "chats");

export const findChat = (accountId: number, id: string): StoredChat | undefined =>
  listChats(accountId).find((chat) => chat.id === id);

/** Stores a chat as the newest one, with its existing title. A chat that is too long is not updated. */
export function saveChat(accountId: number, chat: Omit<StoredChat, "title" | "at">): void {
  if (!isShortEnough(chat.turns)) return;
  const all = listChats(accountId);
  const title = all.find(({ id }) => id === chat.id)?.title ?? titleOf(chat.turns);
  const others = all.filter(({ id }) => id !== chat.id);
  writeList(accountId, "chats", [{ ...chat, title, at: new Date().toISOString() }, ...others], BOUNDS);
}

/** Replaces the list of chats, after one was renamed, deleted or restored. */
export const replaceChats = (accountId: number, chats: StoredChat[]): void =>
  writeList(accountId, "chats", chats, BOUNDS);

/** Returns whether a chat is short enough to be stored. */
export const isShortEnough = (turns: Turn[]): boolean => JSON.stringify(turns).length <= MAX_CHAT_LENGTH;

/** Returns the beginning of the first message. */
function titleOf([first]: Turn[]): string {
  const text = (first?.text ?? "").replaceAll(/\s+/g, " ").trim();
  return text.length > MAX_TITLE_LENGTH ? `${text.slice(0, MAX_TITLE_LENGTH).trim()}…` : text || "Untitled";
}

"use client";

import { readList, writeList } from "./local-data";

interface Draft {
  name: string;
  value: unknown;
}

const BOUNDS = { maxItems: 30, maxLength: 500_000 };
const MAX_DRAFT_LENGTH = 100_000;

/** Returns the draft of this name that the browser keeps for the account; undefined without one. */
export const readDraft = (accountId: number, name: string): unknown =>
  readList<Draft>(accountId, "drafts").find((draft) => draft.name === name)?.value;

/** Keeps a draft in the browser, the newest first; undefined removes it. One that is too long is not kept. */
export function writeDraft(accountId: number, name: string, value: unknown): void {
  const others = readList<Draft>(accountId, "drafts").filter((draft) => draft.name !== name);
  const isKept = value !== undefined && JSON.stringify(value).length <= MAX_DRAFT_LENGTH;
  writeList(accountId, "drafts", isKept ? [{ name, value }, ...others] : others, BOUNDS);
}

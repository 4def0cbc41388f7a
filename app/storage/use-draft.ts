"use client";

import { createContext, useContext, useEffect, useLayoutEffect, useRef } from "react";
import { readList, writeList } from "./local-data";

const WRITE_DELAY_MS = 300;

interface Options<Value> {
  name: string;
  /** Undefined removes the draft. */
  value: Value | undefined;
  /** True when the page has a value that replaces the draft, such as one from a link. */
  isPrefilled?: boolean;
  /** Receives the draft when the page is opened; with `isPrefilled`, the one that is being replaced. */
  onFound: (draft: Value) => void;
}

/** Stores a draft in the browser, once it has been stable for a moment and when the page is left. */
export function useDraft<Value>({ name, value, isPrefilled = false, onFound }: Options<Value>): void {
  const accountId = useStorageAccount();
  const json = JSON.stringify(value);
  const latest = useRef({ json, value });
  // What the server rendered is older than the draft, so it is not written.
  const written = useRef(isPrefilled ? null : json);
  const found = useRef(onFound);
  useLayoutEffect(() => {
    const draft = readDraft(accountId, name);
    if (draft !== undefined) found.current(draft as Value);
  }, [accountId, name]);
  useEffect(() => {
    latest.current = { json, value };
  });
  useEffect(() => {
    const write = () => {
      const { json, value } = latest.current;
      if (written.current === json) return;
      written.current = json;
      writeDraft(accountId, name, value);
    };
    const timer = setTimeout(write, WRITE_DELAY_MS);
    addEventListener("pagehide", write);
    return () => {
      clearTimeout(timer);
      removeEventListener("pagehide", write);
    };
  }, [accountId, name, json]);
  // A navigation within the console fires no `pagehide`.
  useEffect(
    () => () => {
      const { json, value } = latest.current;
      if (written.current !== json) writeDraft(accountId, name, value);
    },
    [accountId, name],
  );
}

interface Draft {
  name: string;
  value: unknown;
}

const BOUNDS = { maxItems: 30, maxLength: 500_000 };
const MAX_DRAFT_LENGTH = 100_000;

/** Returns the stored draft of this name of the account; undefined without one. */
export const readDraft = (accountId: number, name: string): unknown =>
  readList<Draft>(accountId, "drafts").find((draft) => draft.name === name)?.value;

/** Stores a draft in the browser, the newest first; undefined removes it. One that is too long is not stored. */
export function writeDraft(accountId: number, name: string, value: unknown): void {
  const others = readList<Draft>(accountId, "drafts").filter((draft) => draft.name !== name);
  const isKept = value !== undefined && JSON.stringify(value).length <= MAX_DRAFT_LENGTH;
  writeList(accountId, "drafts", isKept ? [{ name, value }, ...others] : others, BOUNDS);
}

/** The id of the account whose data is stored in the browser. */
export const StorageAccount = createContext(0);

/** Returns the id of the account whose data is stored in the browser. */
export const useStorageAccount = (): number => useContext(StorageAccount);

"use client";

import { useEffect, useLayoutEffect, useRef } from "react";
import { readDraft, writeDraft } from "./drafts";
import { useStorageAccount } from "./storage-account";

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

/** Keeps a draft in the browser: written when it has been stable for a moment, and when the page is left. */
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
  // A page of the console is left without an event of the browser.
  useEffect(
    () => () => {
      const { json, value } = latest.current;
      if (written.current !== json) writeDraft(accountId, name, value);
    },
    [accountId, name],
  );
}

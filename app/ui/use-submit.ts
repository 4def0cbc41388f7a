"use client";

import { type FormEvent, useState } from "react";

/** Sends a form by script: `busy` while `send` is under way, and until the page is left. */
export function useSubmit(send: (form: FormData) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    void send(new FormData(event.currentTarget)).finally(() => setBusy(false));
  };
  return { busy, onSubmit };
}

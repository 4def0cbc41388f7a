"use client";

import { type FormEvent, useState } from "react";

/** Returns a submit handler for a form; `busy` is true while `send` is pending. */
export function useSubmit(send: (form: FormData) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    void send(new FormData(event.currentTarget)).finally(() => setBusy(false));
  };
  return { busy, onSubmit };
}

"use client";

import { type FormEvent, useState } from "react";

/** Returns a submit handler for a form; `busy` is true while `send` is pending. */
export function useSubmit(send: (fields: FormData, form: HTMLFormElement) => Promise<void>) {
  const [busy, setBusy] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    void send(new FormData(form), form).finally(() => setBusy(false));
  };
  return { busy, onSubmit };
}

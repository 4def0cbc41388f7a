"use client";

import { type ReactNode, useState } from "react";
import type { Permission } from "@/server/context";
import { Button } from "./button";
import { Confirm } from "./dialog";

interface Props {
  children: ReactNode;
  /** The button's name, where its text alone would be ambiguous. */
  label?: string;
  busy: boolean;
  /** What the person's role must allow; for everybody else there is no button. */
  needs?: Permission;
  title: string;
  /** The label of the confirm button. */
  verb: string;
  /** What will happen, and whether it can be undone. */
  question: string;
  onConfirm: () => void;
}

/** Renders a button whose action runs once it is confirmed. */
export function ConfirmedButton({ children, label, busy, needs, title, verb, question, onConfirm }: Props) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button needs={needs} busy={busy} aria-label={label} onClick={() => setAsking(true)}>
        {children}
      </Button>
      <Confirm open={isAsking} onOpenChange={setAsking} title={title} verb={verb} onConfirm={onConfirm}>
        {question}
      </Confirm>
    </>
  );
}

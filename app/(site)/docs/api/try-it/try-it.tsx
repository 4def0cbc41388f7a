"use client";

import { Send } from "lucide-react";
import { useId, useState } from "react";
import { Button } from "../../../../ui/button";
import { TryForm } from "./try-form";
import type { TriableOperation } from "./triable-operation";

interface Props {
  operation: TriableOperation;
  isSignedIn: boolean;
}

/** Offers to send the request of an operation; the form opens on demand. */
export function TryIt({ operation, isSignedIn }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="grid gap-3">
      <Button
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        className="justify-self-start"
      >
        <Send size={16} aria-hidden />
        Try it
        <span className="sr-only">: {operation.summary}</span>
      </Button>
      {isOpen && (
        <div id={id} className="rounded-xl border border-line bg-raised p-5">
          <TryForm operation={operation} isSignedIn={isSignedIn} />
        </div>
      )}
    </div>
  );
}

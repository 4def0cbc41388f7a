"use client";

import { type ClipboardEvent, useId } from "react";
import { TextArea } from "./controls";
import { useFocusOnMount } from "./use-focus-on-mount";

/** Returns how to copy a selected text on this device. */
function describeCopy(): string {
  if (matchMedia("(pointer: coarse)").matches) return "Touch and hold the text to copy it";
  return `Press ${navigator.userAgent.includes("Mac") ? "⌘C" : "Ctrl+C"} to copy`;
}

interface Props {
  text: string;
  onCopied: () => void;
  onClose: () => void;
}

/** Shows a selected text and the keys that copy it, until it is copied or left. */
export function ManualCopy({ text, onCopied, onClose }: Props) {
  const id = useId();
  const area = useFocusOnMount<HTMLTextAreaElement>();
  const copied = (event: ClipboardEvent) => {
    event.stopPropagation();
    // The browser reads the selection after this event.
    setTimeout(onCopied);
  };
  return (
    <span className="fixed inset-x-4 bottom-4 z-60 mx-auto grid max-w-md gap-2 rounded-xl border border-line bg-raised p-4 text-left whitespace-normal shadow-raised">
      <label htmlFor={id} className="text-sm font-medium text-ink">
        {describeCopy()}
      </label>
      <TextArea
        ref={area}
        id={id}
        readOnly
        value={text}
        rows={3}
        className="w-full rounded-lg border border-strong-line bg-sunken px-3 py-2 font-mono text-sm text-ink"
        onFocus={({ currentTarget }) => currentTarget.select()}
        onCopy={copied}
        onBlur={onClose}
      />
    </span>
  );
}

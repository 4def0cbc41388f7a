"use client";

import { type FormEvent, useEffect, useRef, useState } from "react";
import { usePrice } from "../../../code-samples/use-price";
import { TextArea } from "../../../ui/controls";
import { Button } from "../../../ui/button";
import { PriceOnButton } from "../../../ui/price-on-button";
import { inputOf, type Settings, type Turn } from "./turn";

interface Props {
  model: string;
  /** The chat up to the message that is edited. */
  turns: Turn[];
  settings: Settings;
  onCancel: () => void;
  onResend: (text: string) => void;
}

/** Edits a message in its place, and sends it again. */
export function EditMessage({ model, turns, settings, onCancel, onResend }: Props) {
  const turn = turns.at(-1)!;
  const [text, setText] = useState(turn.text);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const { data: price } = usePrice(model, inputOf([...turns.slice(0, -1), { ...turn, text }], settings));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") onResend(text);
  };
  return (
    <li>
      <form onSubmit={submit} className="grid gap-2">
        <TextArea
          ref={field}
          aria-label="Edit message"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === "Escape" && onCancel()}
          className="field-sizing-content max-h-64 min-h-20 w-full rounded-lg border border-strong-line bg-raised px-3 py-2 text-base sm:text-sm"
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" type="submit" disabled={text.trim() === ""}>
            <span>
              Resend
              <PriceOnButton euros={price?.estimated_cost} isExact={false} />
            </span>
          </Button>
        </div>
      </form>
    </li>
  );
}

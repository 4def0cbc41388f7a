"use client";

import { Send } from "lucide-react";
import type { FormEvent, KeyboardEvent, ReactNode } from "react";
import type { Parameter } from "../../../parameters/parameter";
import { ParameterField } from "../../../parameters/parameter-field";
import { Button } from "../../../ui/button";
import { TextArea } from "../../../ui/controls";
import { Field } from "../../../ui/form";
import { PriceOnButton } from "../../../ui/price-on-button";
import { StopButton } from "./partial-reply";
import type { Turn } from "./turn";

const uri = { type: "string", format: "uri" };
const images: Parameter = { name: "images", required: false, schema: { type: "array", maxItems: 4, items: uri } };

interface Props {
  draft: Turn;
  onChange: (draft: Turn) => void;
  onSend: () => void;
  onStop: () => void;
  isBusy: boolean;
  /** Whether the reply was stopped, and its cost is not known yet. */
  isStopping: boolean;
  /** The most that the reply can cost. Undefined until it is known, null if it has no price. */
  euros: number | null | undefined;
  acceptsImages: boolean;
  placeholder: string;
  /** The estimated cost, shown beside the button. */
  children: ReactNode;
}

/** Composes the next message. */
export function Composer(props: Props) {
  const { draft, onChange, onSend, onStop, isBusy, isStopping, euros, acceptsImages, placeholder, children } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSend();
  };
  const sendOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend();
  };
  return (
    <form onSubmit={submit} className="grid gap-4 border-t border-line pt-4">
      <Field label="Message" hint="Enter to send, Shift+Enter for a new line.">
        {(controlProps) => (
          <TextArea
            {...controlProps}
            className={`${controlProps.className} field-sizing-content max-h-64 min-h-20 py-2`}
            value={draft.text}
            placeholder={placeholder}
            onChange={(event) => onChange({ ...draft, text: event.target.value })}
            onKeyDown={sendOnEnter}
          />
        )}
      </Field>
      {acceptsImages && (
        <details open={draft.images.length > 0 || undefined}>
          <summary className="cursor-pointer text-sm font-medium text-soft hover:text-ink">
            Images{draft.images.length > 0 && ` (${draft.images.length})`}
          </summary>
          <div className="mt-3">
            <ParameterField
              parameter={images}
              value={draft.images}
              onChange={(all) => onChange({ ...draft, images: (all as string[] | undefined) ?? [] })}
            />
          </div>
        </details>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {children}
        {isBusy ? (
          <StopButton isStopping={isStopping} onStop={onStop} />
        ) : (
          <Button kind="primary" type="submit" disabled={draft.text.trim() === ""}>
            <Send size={16} aria-hidden />
            <span>
              Send
              <PriceOnButton euros={euros} isExact={false} />
            </span>
          </Button>
        )}
      </div>
    </form>
  );
}

"use client";

import { useEffect, useState } from "react";
import { CopyButton } from "../../ui/copy-button";
import { encodeInput } from "./encode-input";

interface Props {
  base: string;
  model: string;
  input: Record<string, unknown>;
}

/** Copies a link that opens the playground with this model and input; nothing for an input that is too long for a link. */
export function CopyLink({ base, model, input }: Props) {
  const json = JSON.stringify(input);
  const [encoded, setEncoded] = useState<string | null>("");
  useEffect(() => {
    let isCurrent = true;
    const parsed = JSON.parse(json) as Record<string, unknown>;
    void encodeInput(parsed).then((text) => isCurrent && setEncoded(Object.keys(parsed).length > 0 ? text : ""));
    return () => {
      isCurrent = false;
    };
  }, [json]);
  if (encoded === null) return null;
  const link = `${base}/playground?model=${encodeURIComponent(model)}${encoded && `&input=${encoded}`}`;
  return <CopyButton text={link} label="Copy link" iconOnly="phone" />;
}

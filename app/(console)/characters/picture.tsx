"use client";

import { ImageIcon, ImageOff } from "lucide-react";
import { useState } from "react";
import { DeferredImage } from "../../ui/file-thumbnail";
import { ownPath } from "../../ui/own-path";

export interface PictureFile {
  url: string;
  media_type: string;
  expires_at: string;
}

interface Props {
  /** A file stored by the hub; null for external or deleted ones. */
  file: PictureFile | null;
  className?: string;
}

/** Shows a picture that fills its container, or an icon. */
export function Picture({ file, className = "" }: Props) {
  const [failed, setFailed] = useState(false);
  // Expired content is not requested.
  const isAvailable = file && new Date(file.expires_at) > new Date() && !failed;
  const Icon = file ? ImageOff : ImageIcon;
  return (
    <span
      className={`grid size-full min-h-0 min-w-0 place-items-center overflow-hidden bg-sunken text-soft ${className}`}
    >
      {isAvailable && file.media_type.startsWith("image/") ? (
        <DeferredImage src={ownPath(file.url)} onError={() => setFailed(true)} />
      ) : (
        <Icon size={20} aria-hidden />
      )}
    </span>
  );
}

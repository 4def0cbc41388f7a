"use client";

import { ImageIcon, ImageOff } from "lucide-react";
import { useState } from "react";
import { DeferredImage, hasThumbnail, thumbnailPath } from "../../ui/file-thumbnail";
import { ownPath } from "../../ui/own-path";

export interface PictureFile {
  url: string;
  name: string | null;
  media_type: string;
  size: number;
  expires_at: string;
}

interface Props {
  /** A file stored by the hub; null for external or deleted ones. */
  file: PictureFile | null;
}

/** Shows a picture that fills its container, or an icon. */
export function Picture({ file }: Props) {
  const [failed, setFailed] = useState(false);
  // Expired content is not requested.
  const isAvailable = file && new Date(file.expires_at) > new Date() && !failed;
  const Icon = file ? ImageOff : ImageIcon;
  return (
    <span className="grid size-full min-h-0 min-w-0 place-items-center overflow-hidden bg-sunken text-soft">
      {isAvailable && hasThumbnail({ mediaType: file.media_type, size: file.size }) ? (
        <DeferredImage src={thumbnailPath(ownPath(file.url), 512)} onError={() => setFailed(true)} />
      ) : (
        <Icon size={20} aria-hidden />
      )}
    </span>
  );
}

/** Returns the label of a picture: "picture 2", or "picture 2, in2.png". */
export const describePicture = (number: number, file: PictureFile | null): string =>
  [`picture ${number}`, file?.name].filter(Boolean).join(", ");

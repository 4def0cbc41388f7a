"use client";

import { FolderPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "../../../ui/button";
import { partNotLoaded } from "../../../ui/part-not-loaded";

const CollectDialog = dynamic(() => import("./collect-dialog").then((module) => module.CollectDialog, partNotLoaded), {
  ssr: false,
});

interface Props {
  /** The generations to add. */
  ids: string[];
  /** Hides the label visually: always, or on phones only. */
  iconOnly: true | "phone";
}

/** Renders a button that puts generations into collections, or takes them out. */
export function CollectButton({ ids, iconOnly }: Props) {
  const [isOpen, setOpen] = useState(false);
  const isPhoneOnly = iconOnly === "phone";
  return (
    <>
      <Button
        needs="develop"
        kind={isPhoneOnly ? "quiet" : "ghost"}
        className={isPhoneOnly ? "max-sm:px-2" : "px-2"}
        title="Add to collection"
        onClick={() => setOpen(true)}
      >
        <FolderPlus size={16} aria-hidden />
        <span className={isPhoneOnly ? "max-sm:sr-only" : "sr-only"}>Add to collection</span>
      </Button>
      {isOpen && <CollectDialog ids={ids} onClose={() => setOpen(false)} />}
    </>
  );
}

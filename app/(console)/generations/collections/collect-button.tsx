"use client";

import { FolderPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "../../../ui/button";
import { partNotLoaded } from "../../../ui/part-not-loaded";

const CollectDialog = dynamic(() => import("./collect-dialog").then((module) => module.CollectDialog, partNotLoaded), {
  ssr: false,
});

/**
 * Returns the function that opens the dialog which puts generations into collections, and that dialog. It keeps these
 * generations, so render it where it stays mounted when they leave the list behind it.
 */
export function useCollectDialog() {
  const [ids, setIds] = useState<string[] | null>(null);
  return { collect: setIds, dialog: ids && <CollectDialog ids={ids} onClose={() => setIds(null)} /> };
}

/** Renders a button that puts a generation into collections, or takes it out. */
export function CollectButton({ id }: { id: string }) {
  const { collect, dialog } = useCollectDialog();
  return (
    <>
      <Button needs="develop" kind="ghost" className="px-2" title="Add to collection" onClick={() => collect([id])}>
        <FolderPlus size={16} aria-hidden />
        <span className="sr-only">Add to collection</span>
      </Button>
      {dialog}
    </>
  );
}

"use client";

import { GitCompare } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "../../../ui/button";
import { partNotLoaded } from "../../../ui/part-not-loaded";

const CompareDialog = dynamic(() => import("./compare-dialog").then((module) => module.CompareDialog, partNotLoaded), {
  ssr: false,
});

interface Props {
  id: string;
  model: string;
}

/** Lets a person choose another generation of the same model, and opens both side by side. */
export function CompareWith(generation: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <GitCompare size={16} aria-hidden />
        Compare…
      </Button>
      {isOpen && <CompareDialog {...generation} onClose={() => setOpen(false)} />}
    </>
  );
}

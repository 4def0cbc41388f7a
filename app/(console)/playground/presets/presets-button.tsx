"use client";

import { Bookmark } from "lucide-react";
import dynamic from "next/dynamic";
import { type ComponentProps, useState } from "react";
import { Button } from "../../../ui/button";
import { partNotLoaded } from "../../../ui/part-not-loaded";
import type { Presets as PresetsDialog } from "./presets";

const Presets = dynamic(() => import("./presets").then((module) => module.Presets, partNotLoaded), { ssr: false });

/** Renders a button that opens the presets of a model. */
export function PresetsButton(form: Omit<ComponentProps<typeof PresetsDialog>, "onClose">) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Bookmark size={16} aria-hidden />
        Presets
      </Button>
      {isOpen && <Presets {...form} onClose={() => setOpen(false)} />}
    </>
  );
}

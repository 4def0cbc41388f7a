"use client";

import { Menu } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../ui/button";
import { loadOverlay } from "../ui/load-overlays";
import type { Area } from "./navigation";

const MenuPanel = loadOverlay((overlays) => overlays.MenuPanel);

/** Shows the navigation on narrow screens, in a side sheet. */
export function Sheet({ area, footer }: { area: Area; footer: ReactNode }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button
        kind="ghost"
        className="px-2"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu size={20} aria-hidden />
      </Button>
      {open && <MenuPanel area={area} footer={footer} onClose={() => setOpen(false)} />}
    </>
  );
}

"use client";

import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import type { ReactNode } from "react";
import { Button } from "../ui/button";
import { Modal } from "../ui/modal";
import { type Area, Navigation } from "./navigation";

interface Props {
  area: Area;
  footer: ReactNode;
  onClose: () => void;
}

/** Renders the open side sheet of narrow screens. */
export const MenuPanel = ({ area, footer, onClose }: Props) => (
  <Modal onClose={onClose} className="inset-y-0 left-0 w-72 max-w-[85vw] gap-4 overflow-y-auto border-r p-4">
    <div className="flex items-center justify-between">
      <Dialog.Title className="px-3 font-semibold">Generation Hub</Dialog.Title>
      <Dialog.Close asChild>
        <Button kind="ghost" className="px-2" aria-label="Close">
          <X size={18} aria-hidden />
        </Button>
      </Dialog.Close>
    </div>
    <Navigation area={area} onLeave={onClose} />
    <div className="mt-auto">{footer}</div>
  </Modal>
);

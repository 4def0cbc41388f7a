"use client";

import dynamic from "next/dynamic";
import type { ComponentType } from "react";
import type * as Overlays from "./overlays";
import { partNotLoaded } from "./part-not-loaded";

const importOverlays = () => import("./overlays");

/** Returns a component of `overlays.ts`, which no page loads before it is used. */
export const loadOverlay = <Props extends object>(
  choose: (overlays: typeof Overlays) => ComponentType<Props>,
): ComponentType<Props> => dynamic<Props>(() => importOverlays().then(choose, partNotLoaded), { ssr: false });

const FIRST_USES = ["pointermove", "pointerdown", "keydown", "focusin"] as const;

/** Loads the overlays as soon as somebody begins to use the page, so that they open at once. Returns the clean-up. */
export function loadOverlaysOnUse(): () => void {
  const controller = new AbortController();
  const load = () => {
    controller.abort();
    // A failed load is retried, and reported, when an overlay opens.
    importOverlays().catch(() => undefined);
  };
  for (const name of FIRST_USES) window.addEventListener(name, load, { signal: controller.signal, passive: true });
  return () => controller.abort();
}

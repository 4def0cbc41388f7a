"use client";

import { useEffect, useRef } from "react";
import type { GenerationDetail } from "../types";

let unseen = 0;
/** The title of the page without the count. */
let plainTitle = "";

function showCount(): void {
  if (unseen === 0) plainTitle = document.title;
  unseen += 1;
  document.title = `(${unseen}) ${plainTitle}`;
}

function clearCount(): void {
  if (unseen === 0 || document.hidden) return;
  unseen = 0;
  document.title = plainTitle;
}

/** Returns whether the person may still be asked for notifications. */
export const canAskForNotifications = (): boolean =>
  typeof Notification !== "undefined" && Notification.permission === "default";

/** Returns what `useEndNotice` needs to know about a generation. */
export const toEndNotice = ({ id, model, status, completed_at }: GenerationDetail): Run => ({
  id,
  text: `${model} ${status}`,
  isEnded: completed_at !== null,
});

interface Run {
  id: string;
  /** What has ended, such as "sandbox-image succeeded". */
  text: string;
  isEnded: boolean;
}

/**
 * Counts in the title of the page the runs that end while the page is hidden, and shows each as a browser notification if the
 * person has allowed that. Only runs that this page has seen running count.
 */
export function useEndNotice(run: Run | undefined): void {
  const running = useRef<string | null>(null);
  useEffect(() => {
    document.addEventListener("visibilitychange", clearCount);
    return () => document.removeEventListener("visibilitychange", clearCount);
  }, []);
  const { id, text, isEnded } = run ?? {};
  useEffect(() => {
    if (id === undefined || text === undefined) return;
    if (!isEnded) {
      running.current = id;
      return;
    }
    if (running.current !== id) return;
    running.current = null;
    if (!document.hidden) return;
    showCount();
    if (typeof Notification === "undefined" || Notification.permission !== "granted") return;
    const notification = new Notification(text, { tag: id });
    notification.onclick = () => {
      window.focus();
      notification.close();
    };
  }, [id, text, isEnded]);
}

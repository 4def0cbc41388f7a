"use client";

import { useEffect } from "react";

/**
 * Moves the focus to the nearest heading when the focused element is removed, for example a deleted row or the page
 * that was left. Otherwise it falls to the body, and the keyboard starts over at the top of the page.
 */
export function KeepFocus() {
  useEffect(() => {
    /** The focused element and its ancestors. */
    let path: Element[] = [];
    const onFocusIn = ({ target }: FocusEvent) => {
      path = ancestorsOf(target as Element);
    };
    // A click on the page itself takes the focus away on purpose. An event of the lost focus would not show it: browsers
    // send it for removed elements too.
    const onPointerDown = () => {
      path = [];
    };
    const restoreFocus = () => {
      if (isRemoved(path) && document.activeElement === document.body) focusHeading(path);
    };
    // Dialogs return the focus in a timeout, so this waits for a later one.
    const observer = new MutationObserver(() => isRemoved(path) && setTimeout(restoreFocus));
    document.addEventListener("focusin", onFocusIn);
    document.addEventListener("pointerdown", onPointerDown, true);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener("focusin", onFocusIn);
      document.removeEventListener("pointerdown", onPointerDown, true);
      observer.disconnect();
    };
  }, []);
  return null;
}

const isRemoved = ([element]: Element[]): boolean => element !== undefined && !element.isConnected;

function ancestorsOf(element: Element): Element[] {
  const path = [element];
  for (let one = element.parentElement; one; one = one.parentElement) path.push(one);
  return path;
}

/** Focuses the first heading of the nearest remaining section, else of the page, once there is one. */
function focusHeading(path: Element[]): void {
  const sections = path.filter((one) => one.isConnected && one.matches("section, main"));
  for (const section of [...sections, document.getElementById("main")]) {
    const heading = [...(section?.querySelectorAll<HTMLElement>("h1, h2, h3") ?? [])].find((one) =>
      one.checkVisibility(),
    );
    if (!heading) continue;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    return;
  }
}

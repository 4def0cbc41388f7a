"use client";

// Everything that appears over a page and needs the library of dialogs, in one chunk.
export { MenuPanel } from "../shell/menu-panel";
export { ConfirmPanel, DialogPanel } from "./dialog-panel";
export { ToastList } from "./toast-list";
export { ProofPanel } from "../factors/proof-panel";

"use client";

/**
 * For `dynamic()`, in place of a part that cannot be loaded, for example because the browser is offline or the hub was
 * upgraded: a message says so. The error page would discard what was entered.
 */
export const partNotLoaded = () => PartNotLoaded;

const PartNotLoaded = () => (
  <p
    role="alert"
    className="fixed right-4 bottom-4 z-50 rounded-xl border border-line bg-raised px-4 py-3 text-sm text-danger shadow-raised"
  >
    Part of this page couldn’t be loaded. Check your connection, then reload the page.
  </p>
);

/** Renders the first link in tab order, which skips the navigation. */
export const SkipLink = () => (
  <a
    href="#main"
    className="fixed left-3 top-3 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 font-medium text-on-accent focus:translate-y-0"
  >
    Skip to content
  </a>
);

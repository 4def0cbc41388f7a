/** Renders the hub's logo. */
export const Logo = () => (
  <svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <circle cx="12" cy="12" r="11" fill="var(--accent)" />
    <path d="M3.5 16.5 9 9.5l4 5 2.5-3 5 5" fill="none" stroke="var(--paper)" strokeWidth="2" strokeLinejoin="round" />
    <circle cx="16.5" cy="7" r="1.8" fill="var(--paper)" />
  </svg>
);

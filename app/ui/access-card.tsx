import type { ReactNode } from "react";

/** Renders the card that holds the form of a sign-in page. */
export const AccessCard = ({ title, children, below }: { title: string; children: ReactNode; below?: ReactNode }) => (
  <>
    <section className="grid gap-5 rounded-2xl border border-line bg-raised p-6 shadow-raised">
      <h1 className="text-lg font-semibold">{title}</h1>
      {children}
    </section>
    {below && (
      <p className="text-center text-sm text-soft [&_a]:text-accent [&_a]:underline pointer-coarse:[&_a]:py-3.5">
        {below}
      </p>
    )}
  </>
);

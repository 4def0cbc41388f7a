import type { ReactNode } from "react";

interface SampleProps {
  icon: ReactNode;
  title: string;
  detail: string;
  /** Shown at the end, such as a status. */
  end?: ReactNode;
}

/**
 * Shows what an entry of an empty list will look like, marked as an example. Assistive technology skips it: the text
 * beside it says what appears in the list, and an example must not be taken for an entry.
 */
export const Sample = ({ icon, title, detail, end }: SampleProps) => (
  <div
    aria-hidden
    data-sample
    className="mt-4 w-full rounded-xl border border-dashed border-strong-line p-3 text-left select-none"
  >
    <p className="mb-2 text-xs font-medium text-soft">Example</p>
    <div className="flex items-center gap-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-lg border border-line bg-sunken text-soft">
        {icon}
      </span>
      <div className="min-w-0 flex-1 leading-5">
        <p className="truncate text-sm font-medium">{title}</p>
        <p className="truncate text-xs text-soft">{detail}</p>
      </div>
      {end}
    </div>
  </div>
);

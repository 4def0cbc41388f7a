import type { ComponentProps } from "react";

/** Renders a table that scrolls inside its own region on narrow screens. */
export const Table = ({ label, ...props }: ComponentProps<"table"> & { label: string }) => (
  <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={label}>
    <table className="w-full border-collapse text-left text-sm" {...props} />
  </div>
);

export const Th = ({ className = "", ...props }: ComponentProps<"th">) => (
  <th
    scope="col"
    {...props}
    className={`border-b border-line px-5 py-2.5 text-xs font-medium whitespace-nowrap text-soft ${className}`}
  />
);

export const Td = ({ className = "", ...props }: ComponentProps<"td">) => (
  <td
    {...props}
    className={`border-b border-line px-5 py-3 align-middle whitespace-nowrap in-[tr:last-child]:border-0 ${className}`}
  />
);

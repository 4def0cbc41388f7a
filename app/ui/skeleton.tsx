/** Renders a placeholder for loading content. */
export const Skeleton = ({ className = "h-4 w-full" }: { className?: string }) => (
  <span aria-hidden className={`block animate-pulse rounded-md bg-sunken ${className}`} />
);

/** Renders a placeholder for a loading page. */
export const PageSkeleton = () => (
  <div role="status" aria-label="Loading" className="grid gap-4">
    <Skeleton className="h-8 w-48" />
    <Skeleton className="h-4 w-80 max-w-full" />
    <Skeleton className="h-64 w-full rounded-xl" />
  </div>
);

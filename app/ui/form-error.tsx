/** Shows the error of a whole form, above its submit button. */
export const FormError = ({ children }: { children?: string | false | null }) =>
  children ? (
    <p role="alert" className="rounded-lg bg-danger-wash px-3 py-2 text-sm text-danger">
      {children}
    </p>
  ) : null;

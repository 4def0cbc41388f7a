import { errorsOf } from "./errors-of";
import { Link } from "./link";

/** Why a call was refused, and the way out: to the balance when that is short, else to what its code means. */
export function AccessError({ error }: { error: unknown }) {
  const told = errorsOf(error);
  if (!told) return null;
  const isShort = told.code === "insufficient_credits";
  return (
    <p role="alert" className="rounded-lg bg-danger-wash px-3 py-2 text-sm leading-6 text-danger">
      {told.message}{" "}
      {told.code && (
        <Link
          href={isShort ? "/balance" : `/docs/hub/errors#${told.code}`}
          target={isShort ? undefined : "_blank"}
          className="font-medium whitespace-nowrap underline"
        >
          {isShort ? "View balance" : "Learn more"}
        </Link>
      )}
    </p>
  );
}

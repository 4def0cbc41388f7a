import { usePermission } from "./access-context";
import { errorsOf } from "./errors-of";
import { Link } from "./link";
import { Money } from "./money";

/** Shows why a request was rejected, with a link to the balance when credit is short, else to the error's documentation. */
export function AccessError({ error }: { error: unknown }) {
  const shown = errorsOf(error);
  const canOpenBalance = usePermission("billing");
  if (!shown) return null;
  const needsCredit = shown.code === "insufficient_credits" && !shown.budget && canOpenBalance;
  return (
    <p role="alert" className="rounded-lg bg-danger-wash px-3 py-2 text-sm leading-6 text-danger">
      {shown.funds ? (
        <>
          This run costs <Money euros={shown.funds.required} />, but you have <Money euros={shown.funds.available} />{" "}
          available.
        </>
      ) : (
        shown.message
      )}{" "}
      {shown.code && (
        <Link
          href={needsCredit ? "/balance" : `/docs/hub/errors#${shown.code}`}
          target={needsCredit ? undefined : "_blank"}
          className="font-medium whitespace-nowrap underline"
        >
          {needsCredit ? "View balance" : "Learn more"}
        </Link>
      )}
    </p>
  );
}

import type { ReactNode } from "react";
import { Badge } from "../../ui/badge";
import { ConfirmedButton } from "../../ui/dialog";
import { Td } from "../../ui/table";
import { useIsOperator } from "../use-operator";

interface Props {
  token: { name: string; prefix: string; revoked_at: string | null };
  /** The cells between the token and its button. */
  children: ReactNode;
  what?: string;
  /** What revoking it does. */
  consequence: string;
  isRevoking: boolean;
  onRevoke: () => void;
}

/** Shows a token, or a voucher, with a button that revokes it. */
export function TokenRow({
  token: { name, prefix, revoked_at },
  children,
  what = "token",
  consequence,
  isRevoking,
  onRevoke,
}: Props) {
  const isOperator = useIsOperator();
  return (
    <tr>
      <Td className="w-full max-w-0">
        <span className="block truncate font-medium">{name}</span>
        <code className="font-mono text-xs text-soft">{prefix}…</code>
      </Td>
      {children}
      <Td className="text-right">
        {revoked_at && <Badge>Revoked</Badge>}
        {!revoked_at && isOperator && (
          <ConfirmedButton
            label={`Revoke ${name}`}
            busy={isRevoking}
            title={`Revoke “${name}”?`}
            verb={`Revoke ${what}`}
            question={`${consequence} This cannot be undone.`}
            onConfirm={onRevoke}
          >
            Revoke
          </ConfirmedButton>
        )}
      </Td>
    </tr>
  );
}

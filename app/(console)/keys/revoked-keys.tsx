import { useState } from "react";
import { Button } from "../../ui/button";
import { Card } from "../../ui/card";
import { type Key, KeyTable } from "./key-table";

/** The revoked keys, collapsed by default. */
export function RevokedKeys({ keys }: { keys: Key[] }) {
  const [open, setOpen] = useState(false);
  if (keys.length === 0) return null;
  return (
    <div className="grid gap-3 justify-items-start">
      <Button kind="ghost" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? "Hide" : "Show"} revoked ({keys.length})
      </Button>
      {open && (
        <div className="w-full">
          <Card flush title="Revoked">
            <KeyTable label="Revoked keys" keys={keys} />
          </Card>
        </div>
      )}
    </div>
  );
}

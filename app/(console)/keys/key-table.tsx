"use client";

import { Badge } from "../../ui/badge";
import { Link } from "../../ui/link";
import { Table, Td, Th } from "../../ui/table";
import { TimeAgo } from "../../ui/time-ago";
import { KeyState } from "./key-state";
import { RevokeKey } from "./revoke-key";
import { Spending } from "./spending";
import type { Key } from "./types";

export const KeyTable = ({ label, keys }: { label: string; keys: Key[] }) => (
  <Table label={label}>
    <thead>
      <tr>
        <Th>Name</Th>
        <Th className="max-md:hidden">Spent</Th>
        <Th className="max-md:hidden">Last used</Th>
        <Th className="max-md:hidden">Expires</Th>
        <Th className="max-md:hidden">Created</Th>
        <Th>
          <span className="sr-only">Actions</span>
        </Th>
      </tr>
    </thead>
    <tbody>
      {keys.map((key) => (
        <KeyRow key={key.id} apiKey={key} />
      ))}
    </tbody>
  </Table>
);

function KeyRow({ apiKey: key }: { apiKey: Key }) {
  const isRevoked = key.revoked_at !== null;
  return (
    <tr>
      <Td className="max-w-72 max-md:w-full max-md:max-w-0 max-md:pr-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link href={`/keys/${key.id}`} className="max-w-full truncate font-medium hover:underline" title={key.name}>
            {key.name}
          </Link>
          <KeyState apiKey={key} />
          {key.require_idempotency && <Badge>Idempotency required</Badge>}
        </span>
        <code className="font-mono text-xs text-soft">{key.prefix}…</code>
        <div className="mt-2 md:hidden">
          <Spending apiKey={key} />
        </div>
      </Td>
      <Td className="max-md:hidden">
        <Spending apiKey={key} />
      </Td>
      <Td className="text-soft max-md:hidden">{key.last_used_at ? <TimeAgo at={key.last_used_at} /> : "Never"}</Td>
      <Td className="text-soft max-md:hidden">{key.expires_at ? <TimeAgo at={key.expires_at} /> : "Never"}</Td>
      <Td className="text-soft max-md:hidden">
        <TimeAgo at={key.created_at} />
      </Td>
      <Td className="text-right">{!isRevoked && <RevokeKey apiKey={key} label={`Revoke ${key.name}`} />}</Td>
    </tr>
  );
}

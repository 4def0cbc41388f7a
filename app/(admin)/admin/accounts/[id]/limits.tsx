"use client";

import { Bytes, Count } from "../../../../ui/formats-context";
import type { AccountRecord } from "../../../types";

/** Lists the limits of an account, with how much of each it uses. */
export const Limits = ({ limits: { running, uploads, per_minute } }: { limits: AccountRecord["limits"] }) => (
  <dl className="grid gap-2 text-sm">
    <div className="flex justify-between gap-3">
      <dt className="text-soft">Running generations</dt>
      <dd className="tabular-nums">
        <Count value={running.used} /> of <Count value={running.max} />
      </dd>
    </div>
    <div className="flex justify-between gap-3">
      <dt className="text-soft">Uploads</dt>
      <dd>
        <Bytes value={uploads.used} /> of <Bytes value={uploads.max} />
      </dd>
    </div>
    {Object.entries(per_minute).map(([name, count]) => (
      <div key={name} className="flex justify-between gap-3">
        <dt className="text-soft">{names[name as keyof typeof per_minute]} a minute</dt>
        <dd className="tabular-nums">
          <Count value={count} />
        </dd>
      </div>
    ))}
  </dl>
);

const names = { reads: "Reads", writes: "Writes", keys: "Changes of keys" };

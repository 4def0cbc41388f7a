"use client";

import { CloudOff } from "lucide-react";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";

export default function ConsoleError({ reset }: { reset: () => void }) {
  return (
    <Notice
      title="This page failed to load"
      heading="h1"
      icon={<CloudOff size={20} />}
      action={<Button onClick={reset}>Try again</Button>}
    >
      The hub or its database did not respond. Nothing was changed.
    </Notice>
  );
}

"use client";

import { CloudOff } from "lucide-react";
import { Button } from "../ui/button";
import { Notice } from "../ui/notice";

export default function ConsoleError({ reset }: { reset: () => void }) {
  return (
    <Notice
      title="This page could not be made"
      icon={<CloudOff size={20} />}
      action={<Button onClick={reset}>Try again</Button>}
    >
      The hub or its database did not answer. Nothing of yours was changed.
    </Notice>
  );
}

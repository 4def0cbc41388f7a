"use client";

import { Bell } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/button";
import { useHydrated } from "../../../ui/use-hydrated";
import { canAskForNotifications } from "./use-end-notice";

/** Asks for permission to show browser notifications, only on a click; renders nothing once that is decided. */
export function NotifyButton() {
  const [isDecided, setDecided] = useState(false);
  if (!useHydrated() || isDecided || !canAskForNotifications()) return null;
  return (
    <Button onClick={() => void Notification.requestPermission().finally(() => setDecided(true))}>
      <Bell size={16} aria-hidden />
      Notify me when it ends
    </Button>
  );
}

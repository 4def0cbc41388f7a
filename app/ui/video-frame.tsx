"use client";

import { useEffect, useRef, useState } from "react";

/** Shows the first frame of a video, which the browser reads once the video is in view. It fills its container. */
export function VideoFrame({ path, onError }: { path: string; onError: () => void }) {
  const box = useRef<HTMLSpanElement>(null);
  const isSeen = useSeen(box);
  return (
    <span ref={box} className="block size-full">
      {isSeen && (
        <video
          // Without a time, Safari shows no frame until the video plays.
          src={`${path}#t=0.1`}
          preload="metadata"
          muted
          playsInline
          tabIndex={-1}
          aria-hidden
          className="pointer-events-none size-full object-cover"
          onError={onError}
        />
      )}
    </span>
  );
}

/** Returns whether an element has been in view. */
function useSeen(box: React.RefObject<HTMLElement | null>): boolean {
  const [isSeen, setIsSeen] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      setIsSeen(true);
      observer.disconnect();
    });
    observer.observe(box.current!);
    return () => observer.disconnect();
  }, [box]);
  return isSeen;
}

#!/usr/bin/env python3
"""A worker of a Generation Hub that wraps one function. It needs Python 3.9 and nothing else.

    HUB_URL=http://localhost:3000 HUB_WORKER_TOKEN=service_wk_… python3 examples/worker.py my-model
"""
import contextlib, http.client, json, os, sys, threading, time, urllib.error, urllib.request

API = os.environ.get("HUB_URL", "http://localhost:3000") + "/api/v1/worker"
TOKEN = os.environ["HUB_WORKER_TOKEN"]


class LeaseLost(Exception):
    """Another worker has the job, or the customer has canceled."""


def ask(method, path, body, media_type="application/json"):
    """One request; again every two seconds while the hub is away. Raises LeaseLost for 409, HTTPError for another 4xx."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": media_type}
    while True:
        try:
            request = urllib.request.Request(API + path, data, headers, method=method)
            # A claim waits for up to 30 seconds, so a connection that is silent for longer than this is lost.
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.loads(answer.read() or "null")
        except urllib.error.HTTPError as error:
            if error.code == 409:
                raise LeaseLost from error
            if error.code < 500:
                raise
        except (OSError, http.client.HTTPException):
            pass
        time.sleep(2)


def make(job, report):
    """Your work: yields (media type, bytes) for each output. `report` takes how far it is, from 0 to 1, and a line to show."""
    text = str(job["input"].get("prompt", "")).upper()
    report(0.5, "in capitals now")
    yield "text/plain", text.encode()


def work(job):
    lease, began, done, gone = job["lease"], time.monotonic(), threading.Event(), threading.Event()
    state = {"fence": lease["fence"], "progress": 0.0}
    used = lambda: {"fence": lease["fence"], "gpu_ms": int((time.monotonic() - began) * 1000)}
    path, lines = f"/leases/{lease['id']}", []

    def report(part, line=""):
        state.update(progress=part)
        lines.extend([line] if line else [])

    def beat():
        while not done.wait(10):
            log, lines[:] = lines[-20:], []
            try:
                if ask("POST", path + "/heartbeat", {**state, **used(), "log": log})["cancel"]:
                    return gone.set()
            except (LeaseLost, urllib.error.HTTPError):
                return gone.set()

    threading.Thread(target=beat, daemon=True).start()
    try:
        for index, (media_type, content) in enumerate(make(job["generation"], report)):
            if gone.is_set():
                return
            ask("PUT", f"{path}/outputs/{index}?fence={lease['fence']}", content, media_type)
        ask("POST", path + "/complete", used())
    except LeaseLost:
        raise
    except Exception as error:
        # The hub accepts at most 2,000 UTF-16 code units: two for some characters.
        failure = {"code": "provider_error", "message": str(error)[:1000] or "It failed.", "retryable": False}
        ask("POST", path + "/fail", {**used(), **failure})
    finally:
        done.set()


if __name__ == "__main__":
    while True:
        job = ask("POST", "/claim", {"models": sys.argv[1:], "wait_seconds": 30})
        if job:
            with contextlib.suppress(LeaseLost):
                work(job)

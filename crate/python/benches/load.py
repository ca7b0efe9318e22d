"""Load on a running gateway: users who ask, search and open files, with pauses; latencies, errors, memory.

    python -m pincite.gateway --demo --port 8080 --data /tmp/load --store postgres &
    python benches/load.py --url http://127.0.0.1:8080 --users 50 --minutes 5 --pid $!

Each user has a token of the demo's issuer under a subject of its own, or all have the one of `PINCITE_TOKEN`. A user waits between
requests, exponentially distributed with mean `--think`, as people do: so the load is what `users / (think + latency)` says,
and a slower gateway is asked less. `--think 0` finds the limit, and several numbers of `--users`, run one after another, the way
there. Times are those of the client, until the last byte; for questions also until the first event. Client and gateway share the
machine here, so the client's own use of it is reported.

Plain asyncio rather than Locust: one process, no greenlets, and a stream's first event can be timed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil  # type: ignore[import-untyped]

QUESTIONS = (
    "By when must a firm pay client money into a client account?",
    "How long does a firm have to send a final response to a complaint?",
    "When may an individual be classified as a Professional Client?",
    "Which incidents must be notified within 24 hours?",
    "How much notice must the Customer give to terminate for convenience?",
    "What is the cap on liability?",
    "What interest is payable on late payments?",
    "What does Confidential Information not include?",
)
#: Seconds before a token expires at which a new one is fetched.
_EARLY = 60


@dataclass
class Figures:
    """Measurements: seconds by kind, errors by kind and code."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    waits: Counter[str] = field(default_factory=Counter)
    memory: list[int] = field(default_factory=list)

    def forget(self) -> None:
        """Drops what was measured so far, but for the memory."""
        self.seconds.clear()
        self.waits.clear()

    def table(self, duration: float) -> list[dict[str, Any]]:
        """One row a kind."""
        rows = []
        for kind, seconds in sorted(self.seconds.items()):
            ordered = sorted(seconds)
            row = {"kind": kind, "n": len(ordered), "perSecond": round(len(ordered) / duration, 2)}
            for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99)):
                row[name] = round(1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))])
            rows.append({**row, "mean": round(1000 * statistics.fmean(ordered)), "max": round(1000 * ordered[-1])})
        return rows


class User:
    """One user."""

    def __init__(self, number: int, options: argparse.Namespace, http: httpx.AsyncClient, figures: Figures) -> None:
        self._number = number
        self._options = options
        self._http = http
        self._figures = figures
        self._random = random.Random(options.seed + number)
        self._token = os.environ.get("PINCITE_TOKEN", "")
        self._until = float("inf") if self._token else 0.0
        self._documents: list[str] = []

    async def run(self, until: float) -> None:
        """Uses the gateway until a time."""
        # Else all would begin with a rush that the pauses of people do not make.
        await asyncio.sleep(self._random.random() * self._options.think)
        kinds, weights = zip(
            ("ask", self._options.asks), ("search", self._options.searches), ("open", self._options.opens)
        )
        while time.monotonic() < until:
            kind = self._random.choices(kinds, weights)[0]
            try:
                await getattr(self, f"_{kind}")(await self._headers())
            except httpx.HTTPError as error:
                self._figures.errors[f"{kind}: {type(error).__name__}"] += 1
            if self._options.think:
                pause = self._random.expovariate(1 / self._options.think)
                # A pause over the end would keep the run waiting for it.
                await asyncio.sleep(max(0.0, min(pause, until - time.monotonic())))

    async def _headers(self) -> dict[str, str]:
        if time.time() > self._until - _EARLY:
            query = {"tenant": self._options.tenant, "seconds": 3600, "subject": f"user-{self._number}"}
            self._token = (await self._http.get("/demo/token", params=query)).json()["token"]
            self._until = time.time() + 3600
        return {"authorization": f"Bearer {self._token}"}

    async def _ask(self, headers: dict[str, str]) -> None:
        started = time.perf_counter()
        first = 0.0
        event: dict[str, Any] = {}
        body = {"question": self._random.choice(self._options.questions)}
        async with self._http.stream("POST", "/v1/ask", json=body, headers=headers) as reply:
            if reply.status_code != 200:
                await reply.aread()
                self._failed("ask", reply)
                return
            async for line in reply.aiter_lines():
                first = first or time.perf_counter() - started
                if line.startswith(('{"event":"answer"', '{"event":"error"')):
                    event = {"event": "answer"} if line.startswith('{"event":"answer"') else json.loads(line)
        if event.get("event") != "answer":
            self._figures.errors[f"ask: {event.get('error', {}).get('code', 'cut off')}"] += 1
            return
        self._figures.seconds["ask"].append(time.perf_counter() - started)
        self._figures.seconds["ask, first event"].append(first)

    async def _search(self, headers: dict[str, str]) -> None:
        body = {"query": self._random.choice(self._options.questions), "k": 10}
        await self._timed("search", self._http.build_request("POST", "/v1/search", json=body, headers=headers))

    async def _open(self, headers: dict[str, str]) -> None:
        """A range of 64 KiB of a file, as a viewer asks for."""
        if not self._documents:
            request = self._http.build_request("GET", "/v1/library", headers=headers)
            reply = await self._timed("library", request)
            if reply is None:
                return
            self._documents = [each["id"] for each in reply.json()["documents"]]
        path = f"/v1/documents/{self._random.choice(self._documents)}"
        ranged = {**headers, "range": "bytes=0-65535"}
        await self._timed("range", self._http.build_request("GET", path, headers=ranged))

    async def _timed(self, kind: str, request: httpx.Request) -> httpx.Response | None:
        started = time.perf_counter()
        reply = await self._http.send(request)
        if not reply.is_success:
            self._failed(kind, reply)
            return None
        self._figures.seconds[kind].append(time.perf_counter() - started)
        return reply

    def _failed(self, kind: str, reply: httpx.Response) -> None:
        try:
            code = reply.json()["error"]["code"]
        except (ValueError, KeyError, TypeError):
            code = "?"
        # A limit that holds is what a limit is for; it is counted apart.
        counter = self._figures.waits if reply.status_code in (429, 503) else self._figures.errors
        counter[f"{kind}: {reply.status_code} {code}"] += 1


async def _watch(pids: Sequence[int], figures: Figures) -> None:
    """Samples the memory of processes and their children, each second."""
    while pids:
        total = 0
        for pid in pids:
            try:
                process = psutil.Process(pid)
                total += sum(each.memory_info().rss for each in (process, *process.children(recursive=True)))
            except psutil.NoSuchProcess:
                print(f"process {pid} has ended", file=sys.stderr)
                return
        figures.memory.append(total)
        await asyncio.sleep(1)


async def _run(options: argparse.Namespace, n_users: int, warm: float) -> dict[str, Any]:
    """Figures of so many users, those of the first `warm` minutes left out."""
    figures = Figures()
    limits = httpx.Limits(max_connections=2 * n_users, max_keepalive_connections=2 * n_users)
    own = psutil.Process()
    before = own.cpu_times()
    started = time.monotonic()
    async with httpx.AsyncClient(
        base_url=options.url, limits=limits, timeout=200, verify=False, trust_env=False
    ) as http:
        watching = asyncio.create_task(_watch(options.pid, figures))
        warming = asyncio.get_running_loop().call_later(60 * warm, figures.forget)
        users = [User(number, options, http, figures) for number in range(n_users)]
        end = started + 60 * (warm + options.minutes)
        await asyncio.gather(*(user.run(end) for user in users))
        watching.cancel()
        warming.cancel()
    whole = time.monotonic() - started
    duration = whole - 60 * warm
    after = own.cpu_times()
    return {
        "users": n_users,
        "think": options.think,
        "seconds": round(duration, 1),
        "rows": figures.table(duration),
        "errors": dict(figures.errors),
        "refused": dict(figures.waits),
        "memoryMiB": {
            "first": figures.memory[0] >> 20,
            "last": figures.memory[-1] >> 20,
            "max": max(figures.memory) >> 20,
        }
        if figures.memory
        else None,
        "clientCpu": round((after.user + after.system - before.user - before.system) / whole, 2),
    }


def _questions(file: Path | None) -> Sequence[str]:
    """Questions of a file: one a line, or JSON lines with `question`, `query` or `text`."""
    if file is None:
        return QUESTIONS
    questions = []
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("{"):
            entry = json.loads(line)
            line = str(entry.get("question") or entry.get("query") or entry.get("text") or "")
        if line.strip():
            questions.append(line.strip()[:2000])
    return questions


def main() -> int:
    """Runs the load and prints its figures; the exit status is 1 if anything failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8080")
    parser.add_argument("--users", type=int, nargs="+", default=[50], help="one number after another [50]")
    parser.add_argument("--minutes", type=float, default=1, help="of each number of users [1]")
    parser.add_argument("--warm", type=float, default=0, help="minutes before the first that are not measured [0]")
    parser.add_argument("--think", type=float, default=5, metavar="SECONDS", help="mean pause of a user [5]")
    parser.add_argument("--asks", type=float, default=5, help="weight of questions [5]")
    parser.add_argument("--searches", type=float, default=3, help="weight of searches [3]")
    parser.add_argument("--opens", type=float, default=2, help="weight of ranges of files [2]")
    parser.add_argument("--questions", type=Path, metavar="FILE", help="one a line, or JSON lines [of the samples]")
    parser.add_argument("--tenant", default="tenant-a")
    parser.add_argument("--pid", type=int, action="append", default=[], help="process to watch with its children")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, metavar="FILE.json")
    options = parser.parse_args()
    options.questions = _questions(options.questions)
    runs = []
    for at, n_users in enumerate(options.users):
        runs.append(asyncio.run(_run(options, n_users, 0 if at else options.warm)))
        _print(runs[-1])
        if options.out:
            options.out.write_text(json.dumps(runs, indent=1) + "\n", "utf-8")
    return 1 if any(run["errors"] for run in runs) else 0


def _print(found: dict[str, Any]) -> None:
    title = f"{found['users']} users"
    print(f"{title:18}{'n':>7}{'1/s':>8}{'p50 ms':>9}{'p95 ms':>9}{'p99 ms':>9}{'max ms':>9}")
    for row in found["rows"]:
        numbers = f"{row['n']:>7}{row['perSecond']:>8}{row['p50']:>9}{row['p95']:>9}{row['p99']:>9}{row['max']:>9}"
        print(f"{row['kind']:18}{numbers}")
    print(f"errors {found['errors'] or 'none'}, refused {found['refused'] or 'none'}")
    memory = found["memoryMiB"]
    print(f"memory {memory} MiB, client's own CPU {found['clientCpu']} cores, {found['seconds']} s", flush=True)


if __name__ == "__main__":
    sys.exit(main())
